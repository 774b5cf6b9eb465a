/**
 * Privacy policy and terms of use. Everything here is a proposal for the owner and their lawyer. The periods and facts describe what the services do: when a
 * service changes them, these sentences must change too.
 */

type Mailbox = 'privacy' | 'officer' | 'support';

export type Block =
  | string
  /** `[emphasised beginning, rest]` or a plain sentence. */
  | { list: readonly (string | readonly [string, string])[]; isOrdered?: boolean }
  | { columns: readonly string[]; rows: readonly (readonly string[])[] }
  | { links: readonly { href: string; label: string }[] }
  | { mailboxes: readonly { label: string; of: Mailbox }[] };

export interface LegalSection {
  id: string;
  title: string;
  blocks: readonly Block[];
}

export const legalTexts = {
  contents: 'Nesta página',
  changed: (date: string) => `Última mudança: ${date}`,
  summary: 'Em resumo',
  /** Day of the last change, as `formatDate` reads it. */
  changedAt: '2026-11-22T12:00:00-03:00',
};

export const privacyTexts = {
  title: 'Política de Privacidade',
  lead: 'O que guardamos, para quê, até quando, e como mandar em tudo isso.',
  promises: [
    { title: 'Nunca sua senha', text: 'Usamos a sessão do navegador, cifrada.' },
    { title: 'Com prazo', text: 'Listas e diários somem em 180 dias.' },
    { title: 'Sem venda', text: 'Não vendemos nem usamos dados para anúncios.' },
    { title: 'Você manda', text: 'Veja, leve ou apague quando quiser.' },
  ],
  sections: (productName: string, company: string): readonly LegalSection[] => [
    {
      id: 'quem',
      title: 'Quem cuida dos seus dados',
      blocks: [
        `O ${productName}${company ? ` (${company})` : ''} é o controlador dos dados de quem assina e de quem visita este site.`,
        'Das listas que você extrai e dos contatos que as suas roletas recebem, o controlador é você, ou a empresa que publica a promoção. Nós somos o operador: guardamos esses dados para você e seguimos o que você pede.',
      ],
    },
    {
      id: 'guardamos',
      title: 'O que guardamos, para quê e com que base legal',
      blocks: [
        'Só o que cada parte do serviço precisa para funcionar. As bases legais são as do artigo 7º da Lei Geral de Proteção de Dados (LGPD, Lei nº 13.709/2018).',
        {
          columns: ['Dado', 'Para quê', 'Base legal'],
          rows: [
            [
              'Nome, e-mail e senha (só o resumo dela)',
              'Criar e proteger a conta, avisar quando algo precisa de você',
              'Execução do contrato',
            ],
            ['Sessão do Instagram e nome da conta', 'Fazer em seu nome as ações que você programou', 'Execução do contrato'],
            [
              'Automações e diário do que elas fizeram',
              'Mostrar o que foi feito, não repetir e respeitar os limites da conta',
              'Execução do contrato',
            ],
            [
              'Dados públicos de perfis do Instagram nas listas e no diário',
              'Entregar a lista que você pediu e agir só com quem você escolheu',
              'Legítimo interesse',
            ],
            [
              'Contatos recebidos pelas roletas',
              'Realizar a promoção e entregar o prêmio',
              'Consentimento de quem gira, dado à empresa da promoção',
            ],
            ['Plano, pagamentos e recibos', 'Cobrar o plano e cumprir deveres fiscais', 'Execução do contrato e obrigação legal'],
            [
              'Entradas na conta, endereço de rede e navegador',
              'Reconhecer e barrar acessos de outras pessoas',
              'Legítimo interesse e obrigação legal (Marco Civil da Internet)',
            ],
            ['Mensagens que você nos escreve', 'Responder', 'Execução do contrato'],
          ],
        },
        'Não pedimos nem guardamos a sua senha do Instagram. Também não guardamos o número do seu cartão: ele fica só com o meio de pagamento.',
      ],
    },
    {
      id: 'prazos',
      title: 'Por quanto tempo',
      blocks: [
        {
          columns: ['Dado', 'Até quando'],
          rows: [
            ['Conta, automações e artigos', 'Enquanto a conta existir'],
            ['Sessão do Instagram', 'Enquanto ela valer e a conta existir; de uma sessão encerrada ficam só as datas, por 90 dias'],
            ['Diário das automações', '180 dias'],
            ['Listas extraídas', '180 dias depois da última página coletada'],
            ['Contatos de roletas', 'O prazo que a promoção informa, em geral 180 dias'],
            ['Atividade de segurança da conta', '180 dias'],
            ['Fotos da tela de uma falha, para investigá-la', '7 dias'],
            ['Pagamentos e recibos', 'O prazo que a lei fiscal exige, com o meio de pagamento'],
          ],
        },
        'Depois que você exclui a conta, ficam por até 180 dias apenas códigos sem nome, que protegem a conta do Instagram: quantas ações ela fez, se foi bloqueada e com quem já agiu. Deles não se volta a uma pessoa sem a chave, que não sai do serviço.',
      ],
    },
    {
      id: 'sessao',
      title: 'Sua sessão do Instagram',
      blocks: [
        'A sessão é um cookie que o seu navegador já tem. Com ela agimos em seu nome, só no que você programou.',
        {
          list: [
            ['Fica cifrada', 'e não é mostrada de novo, nem para você.'],
            ['Serve só às suas automações,', 'dentro dos limites da conta.'],
            ['Acaba quando você quer:', 'saia do Instagram naquele navegador ou exclua a sua conta aqui.'],
          ],
        },
      ],
    },
    {
      id: 'protecao',
      title: 'Como protegemos',
      blocks: [
        'Conexões e segredos são cifrados. Cada parte do serviço só alcança o que é dela, e cada cliente, só o que é seu. A verificação em duas etapas está em Minha Conta. Se um incidente puder causar risco a você, avisamos você e a Autoridade Nacional de Proteção de Dados (ANPD).',
      ],
    },
    {
      id: 'operadores',
      title: 'Quem trata os dados conosco',
      blocks: [
        'Ninguém recebe dados para anúncios. Estes recebem o que precisam para o serviço funcionar:',
        {
          list: [
            [
              'O meio de pagamento (Stripe),',
              'que recebe seus dados de cobrança e os trata também fora do Brasil, com as garantias que a LGPD pede.',
            ],
            ['O provedor de hospedagem,', 'em cujas máquinas o serviço roda.'],
            ['O serviço de e-mail,', 'que entrega nossos avisos.'],
            [
              'O provedor de inteligência artificial,',
              'só para quem usa os artigos automáticos: recebe o tema e os fatos que você escreveu, nunca as suas listas ou contatos.',
            ],
            ['O site que você ligou,', 'que recebe os seus artigos e contatos, se você pedir.'],
          ],
        },
        'Autoridades recebem dados quando a lei obriga.',
      ],
    },
    {
      id: 'direitos',
      title: 'Seus direitos e como usá-los',
      blocks: [
        'A LGPD (artigo 18) lhe dá, a qualquer momento e sem custo:',
        {
          isOrdered: true,
          list: [
            'Saber se tratamos seus dados, e vê-los.',
            'Corrigir o que está errado.',
            'Levar uma cópia, em arquivo aberto.',
            'Apagar o que não somos obrigados a guardar, ou pedir que fique bloqueado.',
            'Retirar um consentimento e se opor a um uso.',
            'Saber com quem os dados são divididos.',
          ],
        },
        'Quem assina faz isso em Minha Conta: corrija o nome e o e-mail em “Perfil” e “Email”, baixe tudo em “Seus dados” e apague em “Excluir conta”. Para qualquer outro pedido, escreva para o endereço de privacidade, abaixo. Respondemos em até 15 dias.',
        { links: [{ href: '/minha-conta', label: 'Abrir Minha Conta' }] },
        'Você está em uma lista, ou girou uma roleta? Peça a quem a publicou, ou escreva para nós: levamos o pedido até lá.',
      ],
    },
    {
      id: 'cookies',
      title: 'Cookies e armazenamento',
      blocks: [
        'Não usamos cookies de anúncio nem de medição. O armazenamento do seu navegador guarda a sua entrada na conta, rascunhos que você ainda não salvou e o que você já leu. Saia da conta, e ele é limpo.',
      ],
    },
    {
      id: 'criancas',
      title: 'Crianças e adolescentes',
      blocks: ['O serviço é para maiores de 18 anos. Se soubermos de uma conta de alguém mais novo, nós a excluímos.'],
    },
    {
      id: 'mudancas',
      title: 'Quando esta política muda',
      blocks: ['Mudanças que importam são avisadas por e-mail 15 dias antes. O dia da última está no topo desta página.'],
    },
    {
      id: 'contato',
      title: 'Contato do encarregado pelos dados',
      blocks: [
        {
          mailboxes: [
            { label: 'Encarregado pelos dados (DPO)', of: 'officer' },
            { label: 'Privacidade', of: 'privacy' },
          ],
        },
        'Se a resposta não bastar, você pode procurar a Autoridade Nacional de Proteção de Dados (ANPD), em gov.br/anpd.',
      ],
    },
  ],
};

export const termsTexts = {
  title: 'Termos de Uso',
  lead: 'O que você pode esperar do serviço, o que esperamos de você, e como cancelar.',
  sections: (productName: string, company: string): readonly LegalSection[] => [
    {
      id: 'servico',
      title: 'O que é o serviço',
      blocks: [
        `O ${productName}${company ? `, de ${company},` : ''} executa no Instagram, pela sessão que você conecta, as ações que você programa, coleta as listas que você pede, publica roletas de prêmios e escreve artigos para o seu blog.`,
        'Não somos o Instagram nem a Meta, e não temos ligação com eles.',
      ],
    },
    {
      id: 'conta',
      title: 'Sua conta',
      blocks: [
        'Para ter uma conta, você precisa ter 18 anos ou mais e informar um e-mail seu. Guarde a sua senha e conte-nos se desconfiar que outra pessoa a usa.',
      ],
    },
    {
      id: 'instagram',
      title: 'Sua conta do Instagram',
      blocks: [
        'Conecte só contas que são suas, ou para as quais você tem autorização.',
        'O Instagram tem regras próprias e pode restringir ou encerrar uma conta, também por ações automáticas. Nossos limites são cautelosos e tudo para ao primeiro sinal, mas não podemos garantir que isso não aconteça. A decisão de usar automações é sua.',
        'Não resolvemos verificações do Instagram por você, não disfarçamos quem age e não contornamos bloqueios.',
      ],
    },
    {
      id: 'proibido',
      title: 'O que não é permitido',
      blocks: [
        {
          list: [
            'Assediar, enganar ou mandar mensagens a quem não as pediu.',
            'Publicar o que a lei proíbe ou o que viola direitos de outras pessoas.',
            'Usar listas e contatos para um fim que a LGPD não permite.',
            'Publicar promoções sem a autorização que a lei exige.',
            'Tentar alcançar dados de outros clientes ou derrubar o serviço.',
          ],
        },
        'Quem faz isso pode ter automações paradas ou a conta encerrada. Avisamos antes, se a lei e a segurança dos outros deixarem.',
      ],
    },
    {
      id: 'planos',
      title: 'Planos, teste grátis e pagamento',
      blocks: [
        'Os preços e o que cada plano inclui estão na página inicial e em Planos. O pagamento é mensal e se renova sozinho até você cancelar.',
        'O teste grátis vale uma vez por pessoa. Quando ele acaba, o plano passa a ser cobrado pelo preço mostrado, a não ser que você cancele antes.',
        'Na troca de plano, você vê antes quanto paga agora e na próxima cobrança. Se um pagamento falhar, o acesso continua por 7 dias enquanto tentamos de novo.',
        'Mudanças de preço são avisadas por e-mail 30 dias antes e valem a partir da renovação seguinte.',
      ],
    },
    {
      id: 'cancelamento',
      title: 'Cancelamento e desistência',
      blocks: [
        'Cancele quando quiser, no menu da sua conta, em Minha Assinatura. O acesso vale até o fim do período pago.',
        'Você pode desistir em até 7 dias do primeiro pagamento e receber tudo de volta (artigo 49 do Código de Defesa do Consumidor): escreva para o suporte.',
      ],
    },
    {
      id: 'conteudo',
      title: 'O que é seu continua seu',
      blocks: [
        'Seus textos, listas, contatos e artigos são seus. Você nos autoriza a usá-los só para prestar o serviço. Baixe-os quando quiser.',
      ],
    },
    {
      id: 'responsabilidade',
      title: 'Disponibilidade e responsabilidade',
      blocks: [
        'Cuidamos para que o serviço funcione sempre, mas ele depende do Instagram, de meios de pagamento e de outras redes, que podem falhar ou mudar. Automações que não puderem rodar esperam, e você é avisado.',
        'Respondemos pelos danos que causarmos, como manda a lei. Não respondemos por decisões do Instagram, por quedas de terceiros nem pelo que você publica.',
      ],
    },
    {
      id: 'encerramento',
      title: 'Encerramento',
      blocks: [
        'Você pode excluir a sua conta em Minha Conta. Se encerrarmos o serviço, avisamos 30 dias antes, devolvemos o que foi pago e não usado, e você pode baixar seus dados.',
      ],
    },
    {
      id: 'mudancas',
      title: 'Quando estes termos mudam',
      blocks: ['Mudanças que importam são avisadas por e-mail 15 dias antes. Se você não concordar, pode cancelar sem custo.'],
    },
    {
      id: 'lei',
      title: 'Lei e foro',
      blocks: ['Valem as leis do Brasil. O foro é o do seu domicílio.'],
    },
    {
      id: 'contato',
      title: 'Fale com a gente',
      blocks: [{ mailboxes: [{ label: 'Suporte', of: 'support' }] }],
    },
  ],
};
