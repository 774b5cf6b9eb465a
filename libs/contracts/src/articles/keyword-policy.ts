/** What the administrator reads when a keyword of the blog's panel is refused. */
export const keywordTexts = {
  empty: 'Por favor, insira uma palavra-chave antes de gerar o artigo',
  forbidden: 'Esta palavra-chave não é permitida. Use termos relacionados a marketing digital, Instagram ou tecnologia.',
  offTopic: 'Por favor, use palavras-chave relacionadas a marketing digital, Instagram, tecnologia ou negócios.',
} as const;

/** Terms that no keyword of the panel contains, and no editorial article has in its title, address, headings and tags. */
export const forbiddenTerms = [
  ...['política', 'religião', 'drogas', 'violência', 'armas', 'crime', 'discriminação', 'preconceito', 'ódio', 'difamação', 'calúnia'],
  ...['concorrente', 'competidor', 'rival', 'facebook', 'tiktok', 'twitter', 'youtube', 'google ads', 'meta ads', 'linkedin ads'],
] as const;

/** Topics of our own blog: a keyword of the panel contains one of them, or is a part of one. */
export const allowedTopics = [
  ...['marketing', 'digital', 'instagram', 'redes sociais', 'social media', 'automação', 'growth hacking', 'engajamento', 'seguidores'],
  ...['influencer', 'seo', 'sem', 'empreendedorismo', 'negócios', 'vendas', 'conversão', 'leads', 'funil', 'branding', 'marca', 'conteúdo'],
  ...['estratégia', 'tecnologia', 'inovação', 'produtividade', 'startup', 'e-commerce', 'publicidade', 'analytics', 'métricas', 'kpi'],
  ...['roi', 'crm', 'email marketing', 'copywriting', 'landing page', 'tráfego', 'orgânico', 'pago', 'hashtag', 'stories'],
] as const;

/**
 * What is wrong with a keyword of the blog's panel; null when nothing is. Terms match as substrings without regard to case, but with their accents:
 * the specification's own rule.
 */
export function keywordProblem(keyword: string): string | null {
  const text = keyword.trim().normalize('NFC').toLowerCase();
  if (text === '') return keywordTexts.empty;
  if (forbiddenTerms.some((term) => text.includes(term))) return keywordTexts.forbidden;
  return allowedTopics.some((topic) => text.includes(topic) || topic.includes(text)) ? null : keywordTexts.offTopic;
}
