/** Everything that a model server does to its clients, in the order in which a call meets it. README.md describes each. */
export const faultKinds = [
  // Instead of an answer.
  'rate-limit',
  'quota',
  'unauthorized',
  'forbidden',
  'no-model',
  'server-error',
  'html-200',
  'html-502',
  'content-filter-400',
  'refused-parameter',
  'reset',
  'silence',
  // In the answer.
  'content-filter',
  'refusal',
  'length',
  'bad-json',
  'cut-json',
  'wrong-json',
  'fenced-json',
  'empty-answer',
  'no-usage',
  'invented-statistics',
  'injection',
  // While it is sent.
  'stall',
  'drip',
  'cut-connection',
  // Pictures.
  'image-url',
  'broken-image',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export const callKinds = ['chat', 'image', 'models'] as const;
export type CallKind = (typeof callKinds)[number];
