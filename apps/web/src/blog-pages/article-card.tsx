import { articleAddress, type SiteArticleCard } from '@decola/contracts';
import { clsx } from 'clsx';
import { badgeLook, tones } from '../components/ui/looks';
import { formatDate } from '../lib/format';
import { authorName } from './author';
import { Cover, hueOf } from './cover';
import { FoundText, withoutMarks } from './found-text';
import { cardTexts as texts } from './texts';

const shownTags = 3;

interface ArticleCardProps {
  article: SiteArticleCard;
  /** The newest article of the list has the whole width. */
  isLead?: boolean;
  isFirst?: boolean;
  /** Level of its heading. */
  heading?: 'h2' | 'h3';
}

/** An article in a list. Its link covers the whole card; `data-` attributes are for the panel of administrators (`features/blog-admin`). */
export function ArticleCard({ article, isLead = false, isFirst = false, heading: Heading = 'h2' }: ArticleCardProps) {
  const { id, slug, title, excerpt, category, tags, author, readTime, publishedAt } = article;
  return (
    <article className={clsx('post', isLead && 'lead')} data-tool={hueOf(id)} data-article-id={id} data-article-title={withoutMarks(title)}>
      <Cover article={article} isFirst={isFirst} sizes={isLead ? leadSizes : cardSizes} />
      {(category !== null || readTime !== null) && (
        <p className="category">
          {category}
          {readTime !== null && <span>{texts.readTime(readTime)}</span>}
        </p>
      )}
      <Heading>
        <a href={articleAddress(slug)}>
          <FoundText text={title} />
        </a>
      </Heading>
      <p>
        <FoundText text={excerpt} />
      </p>
      <p className="by">
        {authorName(author)} · <time dateTime={publishedAt}>{formatDate(publishedAt)}</time>
      </p>
      {tags.length > 0 && (
        <ul className="tags">
          {tags.slice(0, shownTags).map((tag) => (
            <li key={tag} className={clsx(badgeLook, tones.neutral)}>
              {tag}
            </li>
          ))}
        </ul>
      )}
      <div data-article-tools />
    </article>
  );
}

const leadSizes = '(min-width: 1264px) 660px, (min-width: 1024px) 55vw, (min-width: 700px) calc(50vw - 46px), calc(100vw - 32px)';
const cardSizes = '(min-width: 1264px) 379px, (min-width: 1024px) 30vw, (min-width: 700px) calc(50vw - 46px), calc(100vw - 32px)';
