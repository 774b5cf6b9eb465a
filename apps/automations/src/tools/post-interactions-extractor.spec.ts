import { extractInteractions } from './post-interactions-extractor.js';
import type { PlanInput } from './run-module.js';

const extractedDataId = '4b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69';
const saved = { interactionType: 'likes', targets: ' https://www.instagram.com/padaria/p/C1a2b3D4/ ', extractedDataId };
const input = (configuration: Record<string, unknown>): PlanInput => ({
  configuration,
  now: new Date('2026-11-22T12:00:00Z'),
  room: 60,
  pageRoom: 60,
  runNumber: 0,
  remainingBudget: null,
  sourceOffset: 0,
  candidates: [],
  actionsSoFar: 0,
});

it('a run reads the likes or the comments of the post, as many pages as the ceilings allow', () => {
  const plan = { kind: 'extract-interactions', list: 'likes', postCode: 'C1a2b3D4', author: 'padaria', extractedDataId, maxPages: 60 };
  expect(extractInteractions.plan(input(saved))).toEqual(plan);
  const comments = { ...saved, interactionType: 'comments', targets: 'https://www.instagram.com/reel/C1a2b3D4/' };
  expect(extractInteractions.plan(input(comments))).toEqual({ ...plan, list: 'comments', author: null });
});

it.each([
  ['the address of a profile', { ...saved, targets: 'https://www.instagram.com/padaria/' }],
  ['no list', { ...saved, extractedDataId: undefined }],
])('there is no plan for %s', (_, configuration) => expect(extractInteractions.plan(input(configuration))).toBeNull());

it('a run is still planned while its list is the same', () => {
  const plan = extractInteractions.plan(input(saved))!;
  expect(extractInteractions.isStillPlanned(plan, saved)).toBe(true);
  expect(extractInteractions.isStillPlanned(plan, { ...saved, extractedDataId: '5b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69' })).toBe(false);
});

it('likes are a list of people, which the network may withhold, and come in one page; comments need some pages to get further', () => {
  const comments = { ...saved, interactionType: 'comments' };
  expect([saved, comments].map((each) => extractInteractions.readsLists(each))).toEqual([true, false]);
  expect([saved, comments].map((each) => extractInteractions.leastPages!(each))).toEqual([1, 10]);
});
