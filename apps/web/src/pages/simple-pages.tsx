import { Rocket } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../components/ui/button';
import { configuration } from '../lib/configuration';
import { usePageTitle } from '../lib/page-title';

function Centered({ title, isInLayout = false, children }: { title: string; isInLayout?: boolean; children: ReactNode }) {
  usePageTitle(title);
  const content = (
    <>
      <span className="grid size-16 place-content-center rounded-2xl bg-brand-soft text-brand">
        <Rocket className="size-8" aria-hidden />
      </span>
      <h1 className="text-2xl sm:text-3xl">{title}</h1>
      {children}
    </>
  );
  const centered = 'mx-auto grid max-w-lg content-center justify-items-center gap-3 p-6 text-center';
  return isInLayout ? (
    <div className={`${centered} min-h-[60vh]`}>{content}</div>
  ) : (
    <main className={`${centered} min-h-screen`}>{content}</main>
  );
}

export function NotFoundPage() {
  return (
    <Centered title="Oops! Page not found">
      <p className="text-muted">Este endereço não existe, ou a página mudou de lugar.</p>
      <Button asChild className="mt-2">
        <Link to="/" reloadDocument>
          Ir para o início
        </Link>
      </Button>
    </Centered>
  );
}

/** A page of a coming release says so, instead of looking broken. */
export function ComingPage({ title, isInLayout = false }: { title: string; isInLayout?: boolean }) {
  return (
    <Centered title={title} isInLayout={isInLayout}>
      <p className="text-muted">Esta página chega em breve.</p>
      <Button asChild className="mt-2">
        {isInLayout ? (
          <Link to="/adm">Voltar ao Dashboard</Link>
        ) : (
          <Link to="/" reloadDocument>
            Ir para o início
          </Link>
        )}
      </Button>
    </Centered>
  );
}

export function PrivacyPage() {
  usePageTitle('Política de Privacidade');
  const { productName, privacyEmail, dpoEmail } = configuration();
  const mail = 'break-words text-brand underline underline-offset-4';
  const sections: [string, string][] = [
    [
      'Dados que coletamos',
      'Nome, email, dados de assinatura, a sessão do Instagram que você nos confia (cifrada) e o que suas automações fazem e coletam em seu nome.',
    ],
    [
      'Para que usamos',
      'Para executar as automações que você configurou, cobrar a assinatura e avisar quando algo precisa da sua atenção. Nada é vendido.',
    ],
    [
      'Como protegemos',
      'Sessões são cifradas em repouso e nunca aparecem em registros. Cada serviço acessa só o que é seu. Listas coletadas expiram.',
    ],
    ['Com quem compartilhamos', 'Com o processador de pagamentos, para cobrar, e com ninguém mais sem a sua ordem.'],
    ['Seus direitos (LGPD)', 'Você pode acessar, corrigir, exportar e apagar seus dados, e revogar consentimentos a qualquer momento.'],
  ];
  return (
    <main className="mx-auto max-w-[70ch] px-4 py-12">
      <Link to="/" className="inline-flex min-h-11 items-center font-display text-xl font-bold text-brand">
        {productName}
      </Link>
      <h1 className="mt-4 text-3xl">Política de Privacidade</h1>
      {sections.map(([title, text]) => (
        <section key={title} className="mt-8">
          <h2 className="text-xl">{title}</h2>
          <p className="mt-2 text-muted">{text}</p>
        </section>
      ))}
      <section className="mt-8">
        <h2 className="text-xl">Contato</h2>
        <p className="mt-2 text-muted">
          Privacidade:{' '}
          <a className={mail} href={`mailto:${privacyEmail}`}>
            {privacyEmail}
          </a>
          . Encarregado de dados:{' '}
          <a className={mail} href={`mailto:${dpoEmail}`}>
            {dpoEmail}
          </a>
          .
        </p>
      </section>
    </main>
  );
}
