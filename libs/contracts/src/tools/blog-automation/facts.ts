import { defineTool } from '../tool.js';

export const blogAutomation = defineTool({
  type: 'blog-automation',
  title: 'Artigos Automáticos para Blog',
  description: 'Publique artigos no seu WordPress toda semana, sem escrever.',
  steps: ['Webhook', 'Configuração do blog', 'Frequência'],
  slotCost: 2,
  actions: [],
  methods: [],
  scheduled: false,
  isExtractor: false,
  needsSession: false,
  inOperation: true,
  runs: {},
  runKindOf: () => null,
});
