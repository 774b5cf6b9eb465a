import { contractAuth } from './suites/contract-auth.js';
import { startIdentity } from './support.js';

contractAuth(startIdentity);
