import { cutAfterWord, type GateFinding, type GateReport, gateRuleNames, type RunQuality } from '@decola/contracts';

/** Findings that are kept of each kind: an article can break a rule in every sentence. */
const mostFindings = 30;
const mostCharacters = 300;

/** What a person who looks at an article is shown of the gate's report. */
export function qualityOf({ hard, soft }: GateReport): RunQuality {
  return { hard: hard.slice(0, mostFindings).map(shortened), soft: soft.slice(0, mostFindings).map(shortened) };
}

/** Names of the rules that keep an article back. */
export const brokenRules = ({ hard }: GateReport): string => [...new Set(hard.map(({ rule }) => gateRuleNames[rule]))].join(', ');

function shortened({ quote, ...finding }: GateFinding): GateFinding {
  return quote === undefined ? finding : { ...finding, quote: cutAfterWord(quote, mostCharacters) };
}
