import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { toast } from 'sonner';
import { useUser } from '../../app/session';
import { Button } from '../../components/ui/button';
import { Card, Notice } from '../../components/ui/surface';
import { configuration } from '../../lib/configuration';
import { takeArrival } from '../../lib/mail-link';
import { usePageTitle } from '../../lib/page-title';
import { useMailLink } from '../../lib/use-mail-link';
import { EmailForm } from './email-form';
import { ErasureCard } from './erasure-card';
import { ExportCard } from './export-card';
import { FactorsCard } from './factors-card';
import { PasswordForm } from './password-form';
import { ProfileForm } from './profile-form';
import { SecurityEventsCard } from './security-events-card';
import { SessionsCard } from './sessions-card';
import { Settings } from './settings';

/** /minha-conta, for whoever is signed in. */
export function AccountPage() {
  usePageTitle('Minha Conta');
  const { id, email = '', new_email: pendingEmail } = useUser();
  const { text: linkText, isRefused } = useMailLink();
  useEffect(() => {
    if (takeArrival('email_change')) toast.success('Email confirmado', { description: `Agora você entra com ${email}.` });
  }, [email]);
  return (
    <div className="grid gap-8">
      <h1 className="text-2xl outline-none sm:text-3xl">Minha Conta</h1>
      {linkText && (
        <div role="alert">
          <Notice tone={isRefused ? 'warning' : 'success'}>{linkText}</Notice>
        </div>
      )}
      <Settings title="Perfil" description="Como chamamos você.">
        <ProfileForm userId={id} />
      </Settings>
      <Settings title="Email" description="Você entra com ele e recebe nossos avisos nele.">
        <EmailForm current={email} pending={pendingEmail} />
      </Settings>
      <Settings title="Senha" description="Trocar a senha encerra suas outras sessões.">
        <PasswordForm userId={id} email={email} />
      </Settings>
      <Settings title="Verificação em duas etapas" description="Um código do seu celular, além da senha, para entrar.">
        <FactorsCard userId={id} />
      </Settings>
      <Settings title="Sessões" description="Onde sua conta está aberta. Não reconhece alguma? Encerre-a e troque a senha.">
        <SessionsCard userId={id} />
      </Settings>
      <Settings title="Atividade" description="O que aconteceu com a segurança da sua conta nos últimos meses.">
        <SecurityEventsCard userId={id} />
      </Settings>
      <Settings title="Seus dados" description="A LGPD garante uma cópia de tudo o que guardamos sobre você.">
        <ExportCard />
      </Settings>
      <Settings title="Excluir conta" description="Para sair de vez.">
        <ErasureCard email={email} />
      </Settings>
    </div>
  );
}

/** /minha-conta, for everybody else. */
export function AccessDenied() {
  usePageTitle('Acesso negado');
  const { text: linkText, isRefused } = useMailLink();
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-6 p-4">
      <Link to="/" className="inline-flex min-h-11 items-center justify-self-center font-display text-2xl font-bold text-brand">
        {configuration().productName}
      </Link>
      {linkText && (
        <div role="alert">
          <Notice tone={isRefused ? 'warning' : 'success'}>
            {linkText}
            {isRefused && ' Para isso, entre na sua conta.'}
          </Notice>
        </div>
      )}
      <Card className="text-center">
        <h1 className="text-xl outline-none">Acesso negado</h1>
        <p className="mt-1 text-muted">Entre na sua conta para ver esta página.</p>
        <Button asChild className="mt-4">
          <Link to="/auth" state={{ from: '/minha-conta' }}>
            Entrar
          </Link>
        </Button>
      </Card>
    </main>
  );
}
