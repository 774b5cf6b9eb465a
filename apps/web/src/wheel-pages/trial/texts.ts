export const trialTexts = {
  title: 'Teste da Roleta!',
};

/** Proposals for the owner: the sample prizes, and what stands around them. */
export const trialProposals = {
  lead: 'Uma roleta de exemplo: gire quantas vezes quiser, nada é registrado.',
  spin: 'Girar',
  spinning: 'Girando…',
  skip: 'Pular animação',
  won: (prize: string) => `Você ganhou ${prize}`,
  prizes: [
    'Café grátis',
    '10% off',
    'Caneca',
    'Brownie',
    'Ecobag',
    '20% off',
    'Cappuccino',
    'Cookie',
    'Camiseta',
    'Frete grátis',
    'Copo térmico',
    'Vale-presente',
  ],
};
