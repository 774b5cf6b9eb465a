import { defineTool } from '../tool.js';

export const prizeExtractor = defineTool({
  type: 'prize-extractor',
  title: 'Roleta de Prêmios',
  description: 'Publique uma roleta, entregue prêmios e receba os dados dos leads.',
  steps: ['Cadastro de Prêmios', 'Campos do Lead'],
  slotCost: 1,
  actions: [{ value: 'extract_leads', label: 'Captar leads' }],
  methods: [{ value: 'prize_wheel', label: 'Roleta de prêmios' }],
  scheduled: false,
  isExtractor: false,
  needsSession: false,
  inOperation: true,
  runs: {},
  runKindOf: () => null,
});
