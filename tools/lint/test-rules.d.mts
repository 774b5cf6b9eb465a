/** Plugin of ESLint with the rules of tests. */
export declare const testRules: { rules: Record<string, unknown> };
