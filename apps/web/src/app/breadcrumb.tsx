import { ChevronRight } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';

const labels: readonly (readonly [prefix: string, label: string])[] = [
  ['/planos', 'Planos'],
  ['/assinatura-cancelada', 'Planos'],
  ['/minha-conta', 'Minha Conta'],
  ['/automation/', 'Automação'],
];

/** Where a page stands; nothing on the dashboard itself, and on phones, where the way back is at hand. */
export function Breadcrumb() {
  const { pathname } = useLocation();
  const label = labels.find(([prefix]) => pathname.startsWith(prefix))?.[1];
  if (!label) return null;
  const crumb = 'inline-flex items-center hover:text-ink pointer-coarse:min-h-11';
  const separator = <ChevronRight className="size-4" aria-hidden />;
  return (
    <nav aria-label="Você está aqui" className="mb-4 hidden sm:block">
      <ol className="flex items-center gap-1.5 text-sm text-muted">
        <li>
          <Link to="/" className={crumb} reloadDocument>
            Início
          </Link>
        </li>
        <li className="flex items-center gap-1.5">
          {separator}
          <Link to="/adm" className={crumb}>
            Dashboard
          </Link>
        </li>
        <li className="flex items-center gap-1.5 text-ink" aria-current="page">
          {separator} {label}
        </li>
      </ol>
    </nav>
  );
}
