import { maxLengths } from '@decola/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import { client } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { accountKeys, profileQuery } from './account-queries';
import { QueryContent } from './settings-section';
import { profileFormTexts as texts } from './texts';

const nameRules = { validate: (name: string) => (name.trim() === '' ? texts.missing.field : undefined) };

export function ProfileForm({ userId }: { userId: string }) {
  const profile = useQuery(profileQuery(userId));
  return (
    <QueryContent query={profile} failure={texts.loadFailed}>
      {({ full_name: name }) => <NameForm userId={userId} stored={name ?? ''} />}
    </QueryContent>
  );
}

function NameForm({ userId, stored }: { userId: string; stored: string }) {
  const queryClient = useQueryClient();
  const { field, handleSubmit, failureToast, isSubmitting } = useValidatedForm({ full_name: stored });
  const save = handleSubmit(
    async (values) => {
      const name = values.full_name.trim();
      const saved = await client().from('profiles').update({ full_name: name }).eq('user_id', userId);
      // The header shows the name that is part of the session.
      const { error } = saved.error ? saved : await client().auth.updateUser({ data: { full_name: name } });
      if (error) {
        failureToast.show(texts.failed.title, { description: texts.failed.text });
        return;
      }
      queryClient.setQueryData(accountKeys.profile(userId), { full_name: name });
      toast.success(texts.saved);
    },
    () => failureToast.show(texts.missing.title, { description: texts.missing.text }),
  );
  return (
    <form className="grid gap-4" noValidate onSubmit={save}>
      <TextField label={texts.name} autoComplete="name" maxLength={maxLengths.name} required {...field('full_name', nameRules)} />
      <Button type="submit" variant="secondary" isBusy={isSubmitting} className="justify-self-start">
        {texts.save}
      </Button>
    </form>
  );
}
