import { type AutomationType, frequencies, frequencyLabel, normaliseUsername, splitTargets, wizardCatalogue } from '@decola/contracts';
import type { Configuration } from './use-draft';

const textOf = (configuration: Configuration, field: string) => {
  const value = configuration[field];
  return typeof value === 'string' ? value.trim() : '';
};

/** `1 curtida`, `3 curtidas`. */
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const tagged = (target: string) =>
  target
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((tag) => `#${tag.replace(/^#/, '')}`)
    .join(', ');
const named = (target: string) =>
  splitTargets(target)
    .map((user) => `@${normaliseUsername(user) ?? user.replace(/^@/, '')}`)
    .join(', ');

/** How often, in the middle of a sentence; null while it is not chosen. */
function pace(configuration: Configuration): string | null {
  const chosen = frequencies.find((each) => each === configuration['frequency']);
  return chosen ? frequencyLabel(chosen).toLowerCase().replace(' (recomendado)', '') : null;
}

/** Where the people or posts come from, as the tool's words need it; null while it is not known. */
function source(configuration: Configuration, words: { hashtag: string; slot: string; list?: string; feed?: string }): string | null {
  const target = textOf(configuration, 'targets');
  switch (textOf(configuration, 'method')) {
    case 'hashtag':
      return target ? `${words.hashtag} ${tagged(target)}` : null;
    case 'list':
      return target ? `${words.list} ${named(target)}` : null;
    case 'feed':
      return words.feed ?? null;
    case 'slot':
      return textOf(configuration, 'extractedSlotId') ? words.slot : null;
    default:
      return null;
  }
}

function scheduled(type: AutomationType, configuration: Configuration, count: number): string | null {
  switch (type) {
    case 'auto-follow-unfollow': {
      if (configuration['action'] === 'unfollow')
        return `Deixar de seguir até ${counted(count, 'pessoa', 'pessoas')} que esta conta seguiu por aqui`;
      const from = source(configuration, { hashtag: 'que usam', list: 'que seguem', slot: 'da sua lista' });
      return configuration['action'] === 'follow' && from ? `Seguir até ${counted(count, 'pessoa', 'pessoas')} ${from}` : null;
    }
    case 'auto-like': {
      const from = source(configuration, { hashtag: 'em', feed: 'no seu feed', slot: 'em posts de quem está na sua lista' });
      return from && `Até ${counted(count, 'curtida', 'curtidas')} ${from}`;
    }
    case 'auto-comment': {
      const from = source(configuration, { hashtag: 'em', slot: 'em posts de quem está na sua lista' });
      return from && `Até ${counted(count, 'comentário', 'comentários')} ${from}, alternando os seus textos`;
    }
    case 'mass-story-viewer': {
      const from = source(configuration, { hashtag: 'de', feed: 'do seu feed', slot: 'de quem está na sua lista' });
      return from && `Ver até ${counted(count, 'story', 'stories')} ${from}`;
    }
    default:
      return null;
  }
}

function once(type: AutomationType, configuration: Configuration): string | null {
  const target = textOf(configuration, 'targets');
  if (!target) return null;
  switch (type) {
    case 'followers-following-extractor': {
      const kind = configuration['extractionType'];
      if (kind === 'following') return `Extrair quem ${named(target)} segue para um CSV.`;
      return kind === 'followers' ? `Extrair os seguidores de ${named(target)} para um CSV.` : null;
    }
    case 'post-interactions-extractor': {
      const kind = configuration['interactionType'];
      return kind === 'likes' || kind === 'comments'
        ? `Extrair quem ${kind === 'likes' ? 'curtiu' : 'comentou'} o post para um CSV.`
        : null;
    }
    case 'auto-dm-sender': {
      const keyword = textOf(configuration, 'targetKeyword');
      if (!keyword) return null;
      const reply = configuration['replyToComment'] === true ? ', e responder ao comentário' : '';
      return `Enviar um direct a quem comentar “${keyword}” no seu post${reply}.`;
    }
    default:
      return null;
  }
}

/** What will happen, in one sentence; null while too little is chosen to say it. */
export function summaryOf(type: AutomationType, configuration: Configuration): string | null {
  if (!wizardCatalogue[type].scheduled) return once(type, configuration);
  const typed = Number(configuration['rowsPerLaunch'] || Number.NaN);
  const sentence = scheduled(type, configuration, Number.isInteger(typed) && typed > 0 ? typed : 3);
  const often = pace(configuration);
  return sentence && (often ? `${sentence}, ${often}.` : `${sentence}.`);
}
