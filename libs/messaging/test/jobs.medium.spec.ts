import { jobs } from './suites/jobs.js';

describe('jobs', () => jobs());
