/** Set up for each file of specs: what it has opened ends after all of its own hooks. */
import { afterAll } from 'vitest';
import { endAllOfFile } from './ending.ts';

afterAll(endAllOfFile);
