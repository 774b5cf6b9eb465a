/** Sentences about customers' sites: the token, the check of a site and what stands in its way. The toasts are the specification's. */

const tryLater = 'Tente novamente em alguns instantes.';

export const tokenTexts = {
  created: 'Novo token gerado com sucesso!',
  regenerateFailed: 'Erro ao gerar novo token',
  generateFailed: (message: string) => `Erro ao gerar token: ${message || tryLater}`,
  saveFailed: (message: string) => `Erro ao salvar token: ${message || tryLater}`,
  createFailed: (message: string) => `Erro ao criar token: ${message || tryLater}`,
  /** Proposals for the owner. */
  label: 'Token',
  hint: 'É a chave entre o site e o Decola. Um novo vale junto com o antigo por 7 dias.',
  none: 'Ainda não há token. Um clique cria o seu.',
  create: 'Gerar token',
  regenerate: 'Gerar novo token',
  copy: 'Copiar token',
  show: 'Mostrar token',
  hide: 'Esconder token',
  copied: 'Token copiado',
  copyFailed: 'Não foi possível copiar. Mostre o token e copie à mão.',
  revoke: 'Revogar o antigo agora',
  revoked: 'O token antigo não vale mais',
  revokeFailed: 'Erro ao revogar o token antigo',
  loading: 'Carregando o token',
  loadFailed: 'Não foi possível carregar o token.',
};

export const checkTexts = {
  check: 'Verificar Integração',
  missing: 'Configure o webhook URL e obtenha um token primeiro',
  passed: 'Webhook testado com sucesso! WordPress respondeu corretamente.',
  failed: (error: string) => `Erro no teste: ${error}`,
  invalidAnswer: 'Resposta inválida do WordPress',
  unreachable: 'Erro ao testar webhook. Verifique o URL e se o plugin está instalado.',
  /** Proposals for the owner. */
  test: 'Testar conexão',
  testOf: (host: string) => `Testar conexão: ${host}`,
};

/** What stands below the button after a check. Proposals for the owner. */
export const verdictTexts = {
  checking: 'Conferindo o site',
  checkingText: 'Procuramos o plugin, provamos a assinatura e lemos as categorias. Leva no máximo uns 20 segundos.',
  right: 'Integração certa',
  answers: 'O site responde',
  notYet: 'Ainda não',
  plugin: (version: string) => `Plugin ${version} ativo`,
  pluginActive: 'Plugin ativo',
  wordPress: (version: string) => `WordPress ${version}`,
  signature: 'Assinatura confere dos dois lados',
  unproved: 'O site respondeu, mas não provou que conhece o token.',
  categories: (count: number) => (count === 1 ? '1 categoria lida do site' : `${count} categorias lidas do site`),
  again: 'Verificar de novo',
  copyText: 'Copiar texto',
  copied: 'Texto copiado',
  copyFailed: 'Não foi possível copiar. Selecione o texto acima.',
  mail: 'Enviar para quem cuida do site',
  subject: (host: string) => `Integração do site ${host}`,
  nothingLost: 'Nada foi publicado.',
  noAnswerTitle: 'Não conseguimos fazer o teste',
};

interface Cure {
  steps: readonly string[];
  /** A text for the support of the site's host. */
  forHost?: (host: string, at: string) => string;
}

const again = 'Volte aqui e verifique de novo.';
const unblock = (host: string, at: string) =>
  `Olá! Por favor, liberem no firewall (mod_security ou semelhante) o endereço /wp-json/decola/v1/events do site ${host} para o User-Agent Decola-Webhook/1. Uma tentativa foi barrada em ${at}. Obrigado!`;

/** What to do, by the code of the refusal. Proposals for the owner. */
export const cures: Readonly<Record<string, Cure>> = {
  plugin_missing: {
    steps: [
      'No WordPress, abra Plugins e veja se o do Decola está na lista.',
      'Se está, clique em Ativar. Se não, envie o arquivo do primeiro passo.',
      again,
    ],
  },
  not_plugin: {
    steps: ['Use o endereço do site, como https://seusite.com.br, sem o nome de uma página.', 'Confira se o plugin está ativo.', again],
  },
  token: {
    steps: [
      'Copie o token desta página.',
      'No WordPress, abra Configurações, Decola, e cole no lugar do antigo.',
      'Salve lá e verifique de novo aqui.',
    ],
  },
  clock: {
    steps: ['Peça à hospedagem para acertar o relógio do servidor (NTP).', again],
  },
  wrong_site: {
    steps: ['Compare o endereço daqui com o de Configurações, Geral, no WordPress.', 'Use aqui o mesmo endereço.', again],
  },
  rest_blocked: {
    steps: ['Abra as regras do plugin de segurança.', 'Libere a rota /wp-json/decola/.', again],
  },
  cloudflare: {
    steps: [
      'No painel do Cloudflare, abra Segurança, WAF, Regras personalizadas.',
      'Crie uma regra: se o caminho contém /wp-json/decola/ e o User-Agent é Decola-Webhook/1, então Ignorar.',
      again,
    ],
  },
  waf: {
    steps: ['Copie o texto abaixo.', 'Envie ao suporte da sua hospedagem.', 'Quando responderem, verifique de novo.'],
    forHost: unblock,
  },
  tls: { steps: ['Peça à hospedagem para renovar o certificado (https) do site.', again] },
  dns: { steps: ['Confira se o endereço está escrito certo e se o domínio não venceu.', again] },
  address: { steps: ['Use o endereço público do site, com https://.', again] },
  timeout: { steps: ['Veja se o site abre depressa no seu navegador.', 'Espere alguns minutos e verifique de novo.'] },
  site_down: { steps: ['Espere alguns minutos e verifique de novo.', 'Se continuar, fale com a hospedagem.'] },
};
