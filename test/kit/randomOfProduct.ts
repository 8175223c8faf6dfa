/**
 * What the product itself draws, such as how long it waits before it tries again, follows from the seed of the run, too: anew
 * in each file of unit specs, whatever ran before in this process. Specs with processes of their own wait for conditions.
 */
import { randomFrom } from './random.ts';

Math.random = randomFrom();
