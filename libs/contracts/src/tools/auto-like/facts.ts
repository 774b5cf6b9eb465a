import { defineTool, slotMethod, standardSteps } from '../tool.js';

export const autoLike = defineTool({
  type: 'auto-like',
  title: 'Curtidas Automáticas',
  description: 'Curta posts de quem importa para o seu perfil.',
  steps: standardSteps,
  slotCost: 1,
  actions: [{ value: 'like', label: 'Curtir' }],
  methods: [{ value: 'hashtag', label: 'Por hashtag' }, { value: 'feed', label: 'Do seu feed' }, slotMethod],
  scheduled: true,
  isExtractor: false,
  needsSession: true,
  inOperation: true,
  runs: { like: { actions: ['like'] } },
  runKindOf: () => 'like',
});
