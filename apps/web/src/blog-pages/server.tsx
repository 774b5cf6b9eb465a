import type { ApprovalPage, BlogPage } from '@decola/contracts';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { type PublicConfiguration, setConfiguration } from '../lib/configuration';
import { Approval } from './approval/approval-page';
import { ArticlePage } from './article-page';
import { ListPage } from './list-page';
import { FailedPage, MissingPage, TooManyPage } from './other-pages';
import { SitemapPage } from './sitemap-page';
import { SiteFrame } from './site-frame';

/** Renders a page of the blog for the gateway. React does not take it over in the browser: what moves there is `main.ts`. */
export function renderPage(page: BlogPage, configuration: PublicConfiguration): string {
  setConfiguration(configuration);
  return renderToStaticMarkup(<SiteFrame isList={page.kind === 'list'}>{contentOf(page)}</SiteFrame>);
}

/** Renders the page on which a customer decides about an article. */
export function renderApprovalPage(page: ApprovalPage, configuration: PublicConfiguration): string {
  setConfiguration(configuration);
  return renderToStaticMarkup(<Approval page={page} />);
}

function contentOf(page: BlogPage): ReactNode {
  switch (page.kind) {
    case 'list':
      return <ListPage query={page.query} list={page.list} />;
    case 'article':
      return <ArticlePage article={page.article} related={page.related} />;
    case 'sitemap':
      return <SitemapPage xml={page.xml} articleCount={page.articleCount} shownCount={page.shownCount} />;
    case 'missing':
      return <MissingPage />;
    case 'failed':
      return <FailedPage what={page.what} address={page.address} />;
    case 'too-many':
      return <TooManyPage address={page.address} />;
  }
}
