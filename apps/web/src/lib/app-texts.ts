/** Words of dates, and sentences about public pages of wheels. */

/** Yesterday, today and tomorrow, for `formatRelativeTime`. */
export const relativeDays = ['ontem', 'hoje', 'amanhã'] as const;

/** Proposals for the owner: times within the next hour. */
export const soonTexts = {
  minutes: (count: number) => `em ${count} min`,
  now: 'em instantes',
};

/** Proposals for the owner: times within the last hour. */
export const agoTexts = {
  minutes: (count: number) => `há ${count} min`,
  now: 'há instantes',
};

export const publicWheelTexts = {
  /** Title of the frame, which screen readers of the customer's visitors say. */
  frame: (name: string) => `Roleta de prêmios: ${name}`,
};

/** Days of a weekly schedule. Proposals for the owner. */
export const weekdayTexts = {
  long: {
    every: 'todos os dias',
    row: (first: string, last: string) => `de ${first} a ${last}`,
    names: ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'],
    join: (names: readonly string[]) => (names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} e ${names.at(-1)}`),
  },
  short: {
    every: 'todos os dias',
    row: (first: string, last: string) => `${first} a ${last}`,
    names: ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sáb'],
    join: (names: readonly string[]) => names.join(', '),
  },
};

/** A field of several short texts. Proposals for the owner. */
export const tagsFieldTexts = {
  remove: (value: string) => `Remover ${value}`,
};
