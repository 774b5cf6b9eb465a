import { ChevronRight } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { breadcrumbTexts as texts } from './texts';

const labels: readonly (readonly [prefix: string, label: string])[] = [
  ['/planos', texts.plans],
  ['/assinatura-cancelada', texts.plans],
  ['/minha-conta', texts.account],
  ['/contas', texts.accounts],
  ['/artigos', texts.articles],
  ['/automation/', texts.automation],
];

/** Breadcrumb of the pages below the dashboard. */
export function Breadcrumb() {
  const { pathname } = useLocation();
  const label = labels.find(([prefix]) => pathname.startsWith(prefix))?.[1];
  if (!label) return null;
  const crumb = 'inline-flex min-h-11 items-center hover:text-ink hover:underline hover:underline-offset-4';
  const separator = <ChevronRight className="size-4 shrink-0" aria-hidden />;
  return (
    <nav aria-label={texts.label} className="-mt-3 mb-2 md:-mt-5">
      <ol className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
        <li>
          <Link to="/" className={crumb} reloadDocument>
            {texts.home}
          </Link>
        </li>
        <li className="flex items-center gap-1.5">
          {separator}
          <Link to="/adm" className={crumb}>
            {texts.dashboard}
          </Link>
        </li>
        <li className="flex items-center gap-1.5 text-ink" aria-current="page">
          {separator} {label}
        </li>
      </ol>
    </nav>
  );
}
