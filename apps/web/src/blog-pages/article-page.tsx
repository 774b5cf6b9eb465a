import { articleListAddress, type SiteArticle, type SiteArticleCard } from '@decola/contracts';
import { clsx } from 'clsx';
import { ArrowLeft, ChevronDown, ChevronRight, Link2, Share2 } from 'lucide-react';
import { badgeLook, buttonLook, tones } from '../components/ui/looks';
import { formatCount, formatDate } from '../lib/format';
import { ArticleCard } from './article-card';
import { type Heading, prepareArticleHtml } from './article-html';
import { authorName } from './author';
import { Cover, hueOf } from './cover';
import { articleTexts as texts, cardTexts, frameTexts } from './texts';

/** With fewer headings a table of contents tells nothing. */
const leastHeadings = 2;

interface ArticlePageProps {
  article: SiteArticle;
  related: readonly SiteArticleCard[];
}

export function ArticlePage({ article, related }: ArticlePageProps) {
  const { html, headings } = prepareArticleHtml(article.content, { table: texts.table, code: texts.code });
  const hasContents = headings.length >= leastHeadings;
  return (
    <>
      <article data-tool={hueOf(article.id)} data-slug={article.slug}>
        <ArticleHead article={article} />
        <figure className="wide-cover">
          <Cover article={article} isFirst sizes="(min-width: 1024px) 960px, 100vw" />
        </figure>
        <div className={clsx('reading', hasContents && 'with-contents')}>
          {hasContents && <Contents headings={headings} />}
          {/* Cleaned when it was written (apps/blog). */}
          <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        </div>
        <ArticleFoot tags={article.tags} />
      </article>
      <Call />
      {related.length > 0 && (
        <section className="related mt-14" aria-labelledby="related">
          <h2 id="related" className="mb-5 text-xl">
            {texts.related}
          </h2>
          <div className="posts">
            {related.map((each) => (
              <ArticleCard key={each.id} article={each} heading="h3" />
            ))}
          </div>
        </section>
      )}
    </>
  );
}

function ArticleHead({ article }: { article: SiteArticle }) {
  const { title, excerpt, category, author, publishedAt, readTime, viewCount } = article;
  const facts = [...(readTime === null ? [] : [cardTexts.readTime(readTime)]), texts.views(viewCount, formatCount(viewCount))];
  return (
    <header className="article-head">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <nav aria-label={texts.breadcrumb}>
          <ol className="crumbs">
            <li>
              <a href="/">{frameTexts.home}</a>
            </li>
            <li>
              <ChevronRight className="size-4" aria-hidden />
              <a href="/blog">{frameTexts.blog}</a>
            </li>
            <li aria-current="page">
              <ChevronRight className="size-4" aria-hidden />
              {texts.crumb}
            </li>
          </ol>
        </nav>
        <a href="/blog" className="back">
          <ArrowLeft className="size-4" aria-hidden /> {texts.back}
        </a>
      </div>
      {category !== null && <p className="category">{category}</p>}
      <h1>{title}</h1>
      {excerpt !== '' && <p className="standfirst">{excerpt}</p>}
      <div className="byline">
        <p>
          <b>{authorName(author)}</b>
          <time dateTime={publishedAt}>{formatDate(publishedAt)}</time> · {facts.join(' · ')}
        </p>
        <ShareButton />
      </div>
    </header>
  );
}

function Contents({ headings }: { headings: readonly Heading[] }) {
  return (
    <details className="article-contents" open>
      <summary>
        {texts.contents} <ChevronDown className="size-5" aria-hidden />
      </summary>
      <nav aria-label={texts.contents}>
        {headings.map(({ id, text }) => (
          <a key={id} href={`#${id}`}>
            {text}
          </a>
        ))}
      </nav>
    </details>
  );
}

/** Shown by the script, which knows what the browser can do. */
function ShareButton() {
  return (
    <button type="button" data-share hidden className={buttonLook({ variant: 'secondary' })}>
      <Share2 className="size-[18px]" aria-hidden /> {texts.share}
    </button>
  );
}

function ArticleFoot({ tags }: { tags: readonly string[] }) {
  return (
    <div className="article-foot">
      {tags.length > 0 && (
        <ul className="tags" aria-label={texts.tags}>
          {tags.map((tag) => (
            <li key={tag}>
              <a href={articleListAddress({ tag })} className={clsx(badgeLook, tones.neutral)}>
                {tag}
              </a>
            </li>
          ))}
        </ul>
      )}
      <div className="share" data-needs-script hidden>
        <p>{texts.shareTitle}</p>
        <ShareButton />
        <button type="button" data-copy-link className={buttonLook({ variant: 'quiet' })}>
          <Link2 className="size-[18px]" aria-hidden /> {texts.copyLink}
        </button>
      </div>
    </div>
  );
}

function Call() {
  return (
    <section className="call" aria-labelledby="call">
      <h2 id="call">{texts.callTitle}</h2>
      <p>{texts.callText}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <a href="/planos" className={buttonLook({ size: 'large' })}>
          {texts.callPlans}
        </a>
        <a href="/blog" className={buttonLook({ variant: 'secondary', size: 'large' })}>
          {texts.callBlog}
        </a>
      </div>
    </section>
  );
}
