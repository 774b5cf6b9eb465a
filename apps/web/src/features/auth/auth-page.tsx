import { Gauge, ListChecks, Rocket, ShieldCheck } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { toast } from 'sonner';
import { useSession } from '../../app/session';
import { Button } from '../../components/ui/button';
import { Card, Notice, Waiting } from '../../components/ui/surface';
import { configuration } from '../../lib/configuration';
import { usePageTitle } from '../../lib/page-title';
import { useMailLink } from '../../lib/use-mail-link';
import { ForgotForm } from './forgot-form';
import { NewPasswordForm } from './new-password-form';
import { SecondFactorForm } from './second-factor-form';
import { SignInForm } from './sign-in-form';
import { SignUpForm } from './sign-up-form';

const modes = ['sign-in', 'sign-up', 'forgot'] as const;
type Mode = (typeof modes)[number];

/** Where a person goes once they are in: the page they first asked for, if it is one of ours. */
function destination(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) && !from.startsWith('/auth') ? from : '/adm';
}

/** /auth: enter, join, recover; `mode` in the address is `sign-up` or `forgot`. */
export function AuthPage() {
  const { session, pendingSession, isLoading, isRecovering, endRecovery, signOut } = useSession();
  const location = useLocation();
  const { text: linkText, isRefused } = useMailLink();
  const isLeavingPage = session !== null && !isRecovering;
  useEffect(() => {
    // The page is left at once: what it would have said about the link is said on the next one.
    if (isLeavingPage && linkText) (isRefused ? toast.error : toast.info)(linkText);
  }, [isLeavingPage, linkText, isRefused]);

  if (isLoading) return <Waiting />;
  if (pendingSession)
    return (
      <Frame title="Confirme que é você" key="second-factor" keepsFocus>
        <SecondFactorForm factors={pendingSession.user.factors ?? []} onOtherAccount={() => void signOut()} />
      </Frame>
    );
  if (session && isRecovering)
    return (
      <Frame title="Escolha uma nova senha" key="recovery">
        <NewPasswordForm email={session.user.email ?? ''} onDone={endRecovery} />
      </Frame>
    );
  if (session) return <Navigate to={destination(location.state)} replace />;
  return <Door linkText={linkText} isRefused={isRefused} />;
}

const titles: Record<Mode, string> = { 'sign-in': 'Entre na sua conta', 'sign-up': 'Crie sua conta', forgot: 'Recuperar senha' };

function Door({ linkText, isRefused }: { linkText: string | null; isRefused: boolean }) {
  const [params, setParams] = useSearchParams();
  const location = useLocation();
  const [email, setEmail] = useState('');
  const [confirming, setConfirming] = useState(false);
  const mode = modes.find((known) => known === params.get('mode')) ?? 'sign-in';
  const go = (next: Mode, { replace = true } = {}) =>
    setParams(next === 'sign-in' ? {} : { mode: next }, { replace, state: location.state as unknown });
  const address = { email, onEmail: setEmail };
  const asked = destination(location.state) !== '/adm';
  return (
    <Frame title={titles[mode]} pageTitle={mode === 'forgot' ? titles.forgot : 'Autenticação'} key={mode === 'forgot' ? 'forgot' : 'door'}>
      {linkText && (
        <div role="alert" className="mb-5">
          <Notice tone={isRefused ? 'warning' : 'success'}>
            <p className="font-semibold">{linkText}</p>
            {isRefused && mode !== 'forgot' && (
              <>
                <p className="mt-1">Para mudar de email, entre e peça de novo em Minha Conta. Para uma nova senha:</p>
                <Button variant="outline" className="mt-3 mb-1" onClick={() => go('forgot', { replace: false })}>
                  Recuperar senha
                </Button>
              </>
            )}
          </Notice>
        </div>
      )}
      {!linkText && confirming && mode === 'sign-in' && (
        <div role="status" className="mb-5">
          <Notice tone="success">Enviamos um link para {email}. Abra-o para confirmar seu email e depois entre aqui.</Notice>
        </div>
      )}
      {!linkText && asked && mode === 'sign-in' && !confirming && (
        <p className="mb-5 text-[15px] text-muted">Entre para continuar de onde parou.</p>
      )}
      {mode === 'forgot' ? (
        <ForgotForm {...address} onBack={() => go('sign-in')} />
      ) : (
        <Tabs.Root value={mode} onValueChange={(value) => go(value as Mode)}>
          <Tabs.List aria-label="Acesso" className="mb-6 grid grid-cols-2 rounded-xl bg-sunken p-1">
            {(
              [
                ['sign-in', 'Entrar'],
                ['sign-up', 'Cadastrar'],
              ] as const
            ).map(([value, label]) => (
              <Tabs.Trigger
                key={value}
                value={value}
                className="min-h-11 rounded-lg font-semibold text-muted data-[state=active]:bg-raised data-[state=active]:text-ink data-[state=active]:shadow-sm"
              >
                {label}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <Tabs.Content value="sign-in" tabIndex={-1} className="outline-none">
            <SignInForm {...address} onForgot={() => go('forgot', { replace: false })} />
          </Tabs.Content>
          <Tabs.Content value="sign-up" tabIndex={-1} className="outline-none">
            <SignUpForm
              {...address}
              onCreated={(mustConfirm) => {
                setConfirming(mustConfirm);
                go('sign-in');
              }}
            />
          </Tabs.Content>
        </Tabs.Root>
      )}
    </Frame>
  );
}

interface FrameProps {
  title: string;
  /** What the window is called, when that does not change with the heading. */
  pageTitle?: string;
  keepsFocus?: boolean;
  children: ReactNode;
}

function Frame({ title, pageTitle = title, keepsFocus = false, children }: FrameProps) {
  usePageTitle(pageTitle, { keepsFocus });
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <Welcome />
      <main className="mx-auto grid w-full max-w-md content-center gap-6 p-4 py-10">
        <div className="text-center">
          <Link to="/" className="inline-flex min-h-11 items-center font-display text-2xl font-bold text-brand lg:hidden">
            {configuration().productName}
          </Link>
          <h1 className="mt-2 text-2xl outline-none sm:text-3xl">{title}</h1>
        </div>
        <Card>{children}</Card>
      </main>
    </div>
  );
}

const promises = [
  { icon: Gauge, text: 'Automações no seu ritmo, pela sua própria sessão.' },
  { icon: ShieldCheck, text: 'Ao primeiro sinal do Instagram, tudo para e você sabe por quê.' },
  { icon: ListChecks, text: 'Cada ação fica registrada. Você vê tudo o que foi feito.' },
];

/** What waits behind the door, on screens with room for it. */
function Welcome() {
  return (
    <aside aria-label="O que você encontra" className="hidden flex-col justify-between bg-brand-soft p-12 lg:flex xl:p-16">
      <Link to="/" className="flex min-h-11 items-center gap-2 self-start font-display text-2xl font-bold text-ink">
        <Rocket className="size-7 text-brand" aria-hidden /> {configuration().productName}
      </Link>
      <div>
        <p className="max-w-md font-display text-4xl leading-tight font-semibold tracking-tight text-balance xl:text-5xl">
          Seu Instagram cresce enquanto você trabalha.
        </p>
        <ul className="mt-8 grid max-w-md gap-4 text-lg">
          {promises.map(({ icon: Icon, text }) => (
            <li key={text} className="flex gap-3">
              <Icon className="mt-0.5 size-6 shrink-0 text-brand-strong" aria-hidden />
              {text}
            </li>
          ))}
        </ul>
      </div>
      <p className="text-[15px] text-ink">7 dias grátis no plano Starter. Cancele quando quiser.</p>
    </aside>
  );
}
