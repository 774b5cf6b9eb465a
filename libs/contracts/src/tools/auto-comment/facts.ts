import { defineTool, slotMethod, standardSteps } from '../tool.js';

export const autoComment = defineTool({
  type: 'auto-comment',
  title: 'Comentários Automáticos',
  description: 'Comente em posts do seu nicho, alternando os seus textos.',
  steps: standardSteps,
  slotCost: 1,
  actions: [{ value: 'comment', label: 'Comentar' }],
  methods: [{ value: 'hashtag', label: 'Por hashtag' }, slotMethod],
  scheduled: true,
  isExtractor: false,
  needsSession: true,
  inOperation: true,
  runs: { comment: { actions: ['comment'] } },
  runKindOf: () => 'comment',
});
