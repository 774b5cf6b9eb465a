import type { Random } from '../random/random.js';
import { actors, audiences, benefits, type Field, looks, manners, perceptions, states, successes, times } from './vocabulary.js';

export const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Draws the parts of sentences. Nothing repeats before its list is used up. */
export interface Speech {
  actor(): string;
  audience(): string;
  /** What the audience does: `entende o caminho`. */
  notice(): string;
  time(): string;
  manner(): string;
  state(): string;
  look(): string;
  success(): string;
  /** Changes what the following sentences are about. */
  speakOf(field: Field): void;
  object(): string;
  present(): string;
  imperative(): string;
  infinitive(): string;
}

export function speech(random: Random, firstField: Field): Speech {
  const perception = random.deck(perceptions);
  const benefit = random.deck(benefits);
  const decks = new Map<Field, { object: () => string; verb: () => Field['verbs'][number] }>();
  const decksOf = (field: Field) => {
    const known = decks.get(field) ?? { object: random.deck(field.objects), verb: random.deck(field.verbs) };
    decks.set(field, known);
    return known;
  };
  let current = decksOf(firstField);
  return {
    actor: random.deck(actors),
    audience: random.deck(audiences),
    notice: () => `${perception()} ${benefit()}`,
    time: random.deck(times),
    manner: random.deck(manners),
    state: random.deck(states),
    look: random.deck(looks),
    success: random.deck(successes),
    speakOf: (field) => {
      current = decksOf(field);
    },
    object: () => current.object(),
    present: () => current.verb().present,
    imperative: () => current.verb().imperative,
    infinitive: () => current.verb().infinitive,
  };
}

type Pattern = (say: Speech) => string;

/** At most two fixed words stand together, so that articles do not share long sequences. */
const patterns: readonly Pattern[] = [
  (say) => `${say.time()}, ${say.actor()} ${say.present()} ${say.object()} para ${say.infinitive()} ${say.object()}`,
  (say) => `${say.imperative()} ${say.object()} ${say.time()} e ${say.imperative()} ${say.object()} ${say.manner()}`,
  (say) => `quando ${say.actor()} ${say.present()} ${say.object()}, ${say.audience()} ${say.notice()}`,
  (say) => `${say.actor()} ${say.present()} ${say.object()} ${say.time()}, pois ${say.audience()} ${say.notice()}`,
  (say) => `se ${say.object()} parece ${say.look()}, ${say.imperative()} ${say.object()} ${say.manner()}`,
  (say) => `${say.object()} ${say.state()} ajuda ${say.actor()} a ${say.infinitive()} ${say.object()}`,
  (say) => `vale ${say.infinitive()} ${say.object()} ${say.manner()} e só depois ${say.infinitive()} ${say.object()}`,
  (say) => `${say.actor()} que ${say.present()} ${say.object()} ${say.time()} logo ${say.present()} ${say.object()}`,
  (say) => `antes de ${say.infinitive()} ${say.object()}, ${say.imperative()} ${say.object()} ${say.manner()}`,
  (say) => `em vez de ${say.infinitive()} ${say.object()}, ${say.actor()} ${say.present()} ${say.object()} ${say.manner()}`,
  (say) => `${say.audience()} ${say.notice()} se ${say.actor()} ${say.present()} ${say.object()} ${say.time()}`,
  (say) => `nem sempre ${say.actor()} ${say.present()} ${say.object()}, mas ${say.audience()} ${say.notice()}`,
  (say) => `${say.manner()}, ${say.actor()} ${say.present()} ${say.object()} e ${say.present()} ${say.object()}`,
  (say) => `${say.imperative()} ${say.object()} ${say.manner()}: ${say.audience()} ${say.notice()}`,
  (say) => `para ${say.infinitive()} ${say.object()}, ${say.actor()} ${say.present()} ${say.object()} ${say.time()}`,
];

/** Sentences about the subject itself. It is a noun phrase of unknown number, so it never is the grammatical subject. */
const subjectPatterns: readonly ((say: Speech, subject: string) => string)[] = [
  (say, subject) => `o trabalho com ${subject} ${say.success()} quando ${say.actor()} ${say.present()} ${say.object()}`,
  (say, subject) => `em ${subject}, ${say.actor()} ${say.present()} ${say.object()} ${say.manner()}`,
  (say, subject) => `para cuidar de ${subject}, ${say.imperative()} ${say.object()} ${say.time()}`,
  (say, subject) => `falar de ${subject} ${say.success()} se ${say.audience()} ${say.notice()}`,
  (say, subject) => `${say.actor()} ${say.present()} ${say.object()} ${say.time()} e pensa em ${subject} ${say.manner()}`,
];

const finished = (text: string) => `${capitalized(text)}.`;

/** Draws sentences, each time of another pattern. */
export function sentences(random: Random, say: Speech): { plain(): string; about(subject: string): string } {
  const pattern = random.deck(patterns);
  const subjectPattern = random.deck(subjectPatterns);
  return { plain: () => finished(pattern()(say)), about: (subject) => finished(subjectPattern()(say, subject)) };
}

/** The first text that is `min` to `max` characters long; the nearest one when none of many is. */
export function textOfLength(min: number, max: number, make: () => string): string {
  let nearest = '';
  let distance = Infinity;
  for (let attempt = 0; attempt < 300; attempt++) {
    const text = make();
    const away = Math.max(min - text.length, text.length - max, 0);
    if (away === 0) return text;
    if (away < distance) [nearest, distance] = [text, away];
  }
  return nearest;
}
