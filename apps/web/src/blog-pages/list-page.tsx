import { articleListAddress, articlesPerPage, type ArticleListQuery, type SiteArticleList } from '@decola/contracts';
import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { buttonLook } from '../components/ui/looks';
import { ArticleCard } from './article-card';
import { Pager } from './pager';
import { listTexts as texts } from './texts';

interface ListPageProps {
  query: ArticleListQuery;
  list: SiteArticleList;
}

/** The list of articles. Search, categories and pages are addresses, so that it works without scripts. */
export function ListPage({ query, list }: ListPageProps) {
  const { articles, total, categories } = list;
  const { search, category, tag, page } = query;
  const asked = [search, tag].filter((each) => each !== '').join(', ');
  const hasLead = asked === '' && category === '' && page === 1;
  return (
    <>
      <div id="blog-admin" />
      <Masthead search={search} />
      {categories.length > 0 && <Categories categories={categories} current={asked === '' ? category : null} />}
      <div id="blog-list">
        {asked !== '' && total > 0 && (
          <p role="status" className="mb-6 text-muted">
            {texts.found(total, asked)}
          </p>
        )}
        {articles.length === 0 ? (
          <NoArticles asked={asked || category} isBeyond={total > 0} />
        ) : (
          <div className="posts">
            {articles.map((article, index) => (
              <ArticleCard key={article.id} article={article} isLead={hasLead && index === 0} isFirst={index === 0} />
            ))}
          </div>
        )}
        <Pager query={query} pages={Math.ceil(total / articlesPerPage)} />
      </div>
    </>
  );
}

function Masthead({ search }: { search: string }) {
  return (
    <div className="masthead">
      <div>
        <h1>{texts.title}</h1>
        <p>{texts.masthead}</p>
      </div>
      <form role="search" action="/blog" className="search">
        <Search className="size-5" aria-hidden />
        <input
          type="search"
          name="search"
          defaultValue={search}
          maxLength={100}
          aria-label={texts.searchLabel}
          placeholder={texts.searchLabel}
        />
        <button type="submit" className={buttonLook({ variant: 'ink' })}>
          {texts.search}
        </button>
      </form>
    </div>
  );
}

/** @param current empty when every category is shown; null when the list is filtered by something else */
function Categories({ categories, current }: { categories: readonly string[]; current: string | null }) {
  return (
    <nav aria-label={texts.categories} className="categories">
      <a href={articleListAddress()} aria-current={current === '' ? 'true' : undefined}>
        {texts.allCategories}
      </a>
      {categories.map((category) => (
        <a key={category} href={articleListAddress({ category })} aria-current={current === category ? 'true' : undefined}>
          {category}
        </a>
      ))}
    </nav>
  );
}

/** @param isBeyond whether there are articles, but not on this page */
function NoArticles({ asked, isBeyond }: { asked: string; isBeyond: boolean }) {
  const isFiltered = asked !== '' || isBeyond;
  return (
    <div role="status" className="no-articles">
      <h2>{texts.empty}</h2>
      <p>{isBeyond ? texts.nothingHere : asked === '' ? texts.nothingYet : texts.nothingAbout(asked)}</p>
      {isFiltered && (
        <a href={articleListAddress()} className={clsx(buttonLook({ variant: 'secondary' }))}>
          {texts.all}
        </a>
      )}
    </div>
  );
}
