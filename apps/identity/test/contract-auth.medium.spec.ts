import { contractAuth } from './suites/contract-auth.js';
import { startIdentity } from './support.js';

jest.setTimeout(60_000);

contractAuth(startIdentity);
