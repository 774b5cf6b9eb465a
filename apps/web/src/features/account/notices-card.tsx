import { type NoticeCause, noticeCauses, type Notices } from '@decola/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Switch } from '../../components/ui/switch';
import { client, requireChangedRow } from '../../lib/api-client';
import { useErrorToast } from '../../lib/use-error-toast';
import { noticesQuery } from './account-queries';
import { QueryContent } from './settings-section';
import { noticesTexts as texts } from './texts';

/** Switches of the mails that tell when something needs the customer. */
export function NoticesCard({ userId }: { userId: string }) {
  const query = noticesQuery(userId);
  const notices = useQuery(query);
  const queryClient = useQueryClient();
  const failure = useErrorToast();
  const show = (cause: NoticeCause, isOn: boolean) =>
    queryClient.setQueryData<Notices>(query.queryKey, (current) => current && { ...current, [cause]: isOn });
  const change = useMutation({
    mutationFn: async ({ cause, isOn }: { cause: NoticeCause; isOn: boolean }) =>
      requireChangedRow(
        await client()
          .from('profiles')
          .update({ notices: { [cause]: isOn } })
          .eq('user_id', userId)
          .select('user_id'),
      ),
    // One after the other, so that the last of several clicks is the one that counts.
    scope: { id: `notices ${userId}` },
    onMutate: async ({ cause, isOn }) => {
      failure.clear();
      await queryClient.cancelQueries({ queryKey: query.queryKey });
      show(cause, isOn);
    },
    onError: (_, { cause, isOn }) => {
      show(cause, !isOn);
      failure.show(texts.failed.title, { description: texts.failed.text });
    },
  });
  return (
    <QueryContent query={notices} failure={texts.loadFailed}>
      {(stored) => (
        <ul className="divide-y divide-line">
          {noticeCauses.map((cause) => (
            <li key={cause} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-4 py-4 first:pt-0 last:pb-0">
              <div>
                <p className="font-semibold">{texts.causes[cause].title}</p>
                <p className="text-md text-muted">{texts.causes[cause].text}</p>
              </div>
              <Switch label={texts.causes[cause].title} isOn={stored[cause]} onChange={(isOn) => change.mutate({ cause, isOn })} />
            </li>
          ))}
        </ul>
      )}
    </QueryContent>
  );
}
