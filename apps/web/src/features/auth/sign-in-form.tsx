import { useState } from 'react';
import { SubmitButton } from '../../components/forms/submit-button';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { PasswordField } from '../../components/ui/field';
import { adviceFor, toastText } from '../../lib/auth-errors';
import { authRequest } from '../../lib/auth-request';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { EmailField, type EmailProps, emailRules } from './email-field';
import { signInTexts as texts } from './texts';

const passwordRules = { validate: (password: string) => (password ? undefined : texts.passwordMissing) };

/** Email and password. Where the account has a second factor, its code is asked for next. */
export function SignInForm({ email, onEmail, onForgot }: EmailProps & { onForgot: () => void }) {
  /** The email that the last attempt found unconfirmed. */
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const { field, handleSubmit, showError, failureToast, isSubmitting } = useValidatedForm({ email, password: '' });
  const signIn = handleSubmit(async (values) => {
    const address = values.email.trim();
    const { data, error } = await authRequest((auth) => auth.signInWithPassword({ email: address, password: values.password }));
    setUnconfirmed(error?.code === 'email_not_confirmed' ? address : null);
    if (error) {
      failureToast.show(texts.failed.title, { description: toastText(error) });
      showError(
        'password',
        error.code === 'invalid_credentials' || error.message === 'Invalid login credentials' ? texts.failed.credentials : adviceFor(error),
      );
    } else if (!data.user.factors?.some(({ status }) => status === 'verified')) {
      toast.success(texts.signedIn.title, { description: texts.signedIn.text });
    }
  });
  return (
    <form method="post" className="grid gap-5" noValidate onSubmit={signIn}>
      <EmailField {...field('email', emailRules(onEmail))} />
      <PasswordField label={texts.password} autoComplete="current-password" required {...field('password', passwordRules)} />
      <button type="button" className="-my-3 link min-h-11 justify-self-end text-md" onClick={onForgot}>
        {texts.forgot}
      </button>
      <SubmitButton isBusy={isSubmitting}>{texts.signIn}</SubmitButton>
      {unconfirmed && <ResendButton email={unconfirmed} />}
    </form>
  );
}

/** Sends the mail that confirms a new account again: the first one was lost, or its link has expired. */
function ResendButton({ email }: { email: string }) {
  const [isBusy, setBusy] = useState(false);
  const failureToast = useErrorToast();
  const resend = async () => {
    failureToast.clear();
    setBusy(true);
    const { error } = await authRequest((auth) =>
      auth.resend({ type: 'signup', email, options: { emailRedirectTo: window.location.origin } }),
    );
    setBusy(false);
    if (error) failureToast.show(texts.resendFailed, { description: toastText(error) });
    else toast.success(texts.resent.title, { description: texts.resent.text(email) });
  };
  return (
    <Button variant="secondary" size="wide" isBusy={isBusy} onClick={() => void resend()}>
      {texts.resend}
    </Button>
  );
}
