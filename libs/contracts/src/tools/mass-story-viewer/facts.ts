import { defineTool, slotMethod, standardSteps } from '../tool.js';

export const massStoryViewer = defineTool({
  type: 'mass-story-viewer',
  title: 'Visualizador de Stories',
  description: 'Veja os stories do seu público e apareça para ele.',
  steps: standardSteps,
  slotCost: 1,
  actions: [{ value: 'story', label: 'Ver stories' }],
  methods: [{ value: 'feed', label: 'Do seu feed' }, { value: 'hashtag', label: 'Por hashtag' }, slotMethod],
  scheduled: true,
  isExtractor: false,
  needsSession: true,
  inOperation: true,
  runs: { 'view-story': { actions: ['view-story'] } },
  runKindOf: () => 'view-story',
});
