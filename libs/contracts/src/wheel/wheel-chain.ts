/** The chain of a wheel and its verifier, for pages that load no schemas: `@decola/contracts/wheel-chain`. */
export type { AuditHeading, AuditLine, ChainLine } from './chain.js';
export { type ChainFault, type ChainSummary, commitmentOf, readChainLine, verifyChain } from './verify-chain.js';
