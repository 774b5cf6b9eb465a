import type { Answer } from '../../src/network/answers.js';

/** An answer to a call of the page, as the listener hands it on. */
export const answerWith = (over: Partial<Answer>): Answer => ({
  path: '/graphql/query',
  method: 'POST',
  status: 200,
  friendlyName: null,
  variables: null,
  json: null,
  further: [],
  notJson: null,
  redirectedTo: null,
  ...over,
});
