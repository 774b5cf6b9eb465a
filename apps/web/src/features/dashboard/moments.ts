const zone = 'America/Sao_Paulo';
const dayMs = 24 * 60 * 60_000;
const time = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', timeZone: zone });
const date = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: zone });

/** An instant as people say it: `hoje, 15:00`, `amanhã, 09:00`, `ontem, 21:10`, else with its date. In Brasília time. */
export function formatMoment(value: string, now: Date = new Date()): string {
  const at = new Date(value);
  const day = date.format(at);
  const word = (['ontem', 'hoje', 'amanhã'] as const).find(
    (_, index) => date.format(new Date(now.getTime() + (index - 1) * dayMs)) === day,
  );
  return `${word ?? day}, ${time.format(at)}`;
}
