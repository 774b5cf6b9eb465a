import { defineTool, shortSteps } from '../tool.js';

export const followersFollowingExtractor = defineTool({
  type: 'followers-following-extractor',
  title: 'Extrator de Seguidores e Seguindo',
  description: 'Baixe em CSV a lista de seguidores ou de quem um perfil segue.',
  steps: shortSteps,
  slotCost: 1,
  actions: [{ value: 'extract', label: 'Extrair' }],
  methods: [{ value: 'user', label: 'Perfil' }],
  scheduled: false,
  isExtractor: true,
  needsSession: true,
  inOperation: true,
  runs: { 'extract-list': { actions: [] } },
  runKindOf: () => 'extract-list',
});
