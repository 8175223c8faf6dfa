/** The process that reads uploads. It alone loads the libraries that decode what others have sent. */
import { serveJobs } from '../../../infra/jobProcess.ts';
import type { ReadJob } from './job.ts';
import { read } from './read.ts';

serveJobs((job) => read(job as ReadJob));
