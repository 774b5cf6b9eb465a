import { defineTool, shortSteps } from '../tool.js';

export const postInteractionsExtractor = defineTool({
  type: 'post-interactions-extractor',
  title: 'Extrator de Interações',
  description: 'Baixe em CSV quem curtiu ou comentou um post.',
  steps: shortSteps,
  slotCost: 1,
  actions: [{ value: 'extract', label: 'Extrair' }],
  methods: [{ value: 'post', label: 'Post' }],
  scheduled: false,
  isExtractor: true,
  needsSession: true,
  inOperation: true,
  runs: { 'extract-interactions': { actions: [] } },
  runKindOf: () => 'extract-interactions',
});
