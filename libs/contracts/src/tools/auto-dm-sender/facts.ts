import { defineTool, shortSteps } from '../tool.js';

export const autoDmSender = defineTool({
  type: 'auto-dm-sender',
  title: 'Direct Automático',
  description: 'Envie um direct a quem comentar a palavra-chave no seu post.',
  steps: shortSteps,
  slotCost: 2,
  actions: [{ value: 'send_dm', label: 'Enviar direct' }],
  methods: [{ value: 'comments', label: 'Comentários do post' }],
  scheduled: false,
  isExtractor: false,
  needsSession: true,
  inOperation: true,
  runs: { 'send-dm': { actions: ['message', 'reply'] } },
  runKindOf: () => 'send-dm',
});
