import { defineTool, slotMethod, standardSteps } from '../tool.js';

export const autoFollowUnfollow = defineTool({
  type: 'auto-follow-unfollow',
  title: 'Seguir e Desseguir',
  description: 'Siga pessoas do seu nicho e desfaça depois, no seu ritmo.',
  steps: standardSteps,
  slotCost: 1,
  actions: [
    { value: 'follow', label: 'Seguir' },
    { value: 'unfollow', label: 'Desseguir' },
  ],
  methods: [{ value: 'hashtag', label: 'Por hashtag' }, { value: 'list', label: 'Seguidores de um perfil' }, slotMethod],
  scheduled: true,
  isExtractor: false,
  needsSession: true,
  inOperation: true,
  runs: { follow: { actions: ['follow'] }, unfollow: { actions: ['unfollow'] } },
  runKindOf: ({ action }) => (action === 'unfollow' ? 'unfollow' : 'follow'),
});
