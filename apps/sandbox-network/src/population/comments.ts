import type { Account, Accounts } from './accounts.js';
import { choose, fraction, hash, keyOf } from './hashing.js';
import type { Post } from './posts.js';

export interface Comment {
  /** 17 digits, always odd: a JavaScript number cannot hold it, so a page that takes it for one names another comment. */
  pk: string;
  author: Account;
  text: string;
  /** Seconds since 1970. */
  createdAt: number;
  likeCount: number;
  /** The comment under which this one is shown; null at the top level. */
  parentPk: string | null;
  isEdited: boolean;
}

const lines = [
  'Que lindo!',
  'Amei 😍',
  'Quanto custa?',
  'Eu quero',
  'Parabéns pelo trabalho',
  'Onde fica?',
  'Tem entrega?',
  'Perfeito!',
  'Me chama no direct',
  'Sempre arrasando 👏',
] as const;
const replyLines = ['Também quero', 'Concordo!', 'Te respondi no direct', 'Obrigada 🧡', 'Verdade'] as const;

const shareOfReplies = 0.2;
const shareOfEdited = 0.03;

/** The computed comments of a post in no particular order, each reply after the comment that it answers. Deleted people have none. */
export function computedComments(accounts: Accounts, post: Post): Comment[] {
  const key = keyOf(`comments:${accounts.seed}:${post.pk}`);
  const found: Comment[] = [];
  let thread: Comment | null = null;
  for (let place = 0; place < post.commentCount; place++) {
    const isReply = place > 0 && fraction(key, place, 6) < shareOfReplies;
    const author = accounts.at(hash(key, place, 2) % accounts.size);
    if (isReply && !thread) continue;
    const after = isReply && thread ? thread.createdAt : post.takenAt;
    const comment: Comment = {
      pk: `179${String(hash(key, place, 1))
        .padStart(10, '0')
        .slice(1)}${String(place * 2 + 1).padStart(5, '0')}`,
      author,
      text: isReply && thread ? `@${thread.author.listedUsername} ${choose(replyLines, key, place, 3)}` : choose(lines, key, place, 3),
      createdAt: after + (hash(key, place, 4) % 172_800),
      likeCount: hash(key, place, 5) % 6,
      parentPk: isReply && thread ? thread.pk : null,
      isEdited: fraction(key, place, 7) < shareOfEdited,
    };
    const isGone = author.presence.startsWith('gone');
    if (!isReply) thread = isGone ? null : comment;
    if (!isGone) found.push(comment);
  }
  return found;
}
