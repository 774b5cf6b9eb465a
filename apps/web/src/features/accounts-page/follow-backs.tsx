import { followBackDays } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { Failure, Skeleton } from '../../components/ui/surface';
import { Ticks } from '../../components/ui/ticks';
import { formatCount } from '../../lib/format';
import { followBacksQuery } from './account-queries';
import { Block } from './block';
import { followBackTexts as texts, growthBlockTexts } from './texts';

/** Of the people whom the account followed and whom we saw again in passing: how many follow the customer by now. */
export function FollowBacks({ userId, accountId }: { userId: string; accountId: string }) {
  const followBacks = useQuery(followBacksQuery(userId, accountId));
  return (
    <Block title={texts.title}>
      {followBacks.isPending ? (
        <Skeleton className="h-52" />
      ) : followBacks.isLoadingError ? (
        <Failure text={growthBlockTexts.loadFailed} onRetry={() => void followBacks.refetch()} />
      ) : (
        <>
          <ul className="grid grid-cols-1 gap-4" data-tool="follow">
            {followBackDays.map((days) => {
              const row = followBacks.data.find((each) => each.days === days);
              const { followed = 0, seen = 0, followed_back: back = 0 } = row ?? {};
              const [inAll, again, count] = [followed, seen, back].map(formatCount) as [string, string, string];
              return (
                <li key={days} className="grid grid-cols-1 gap-1.5 text-sm text-muted">
                  <p className="flex flex-wrap justify-between gap-x-3">
                    <span className="font-medium text-ink">{texts.after(days)}</span>
                    {seen > 0 && <b className="font-semibold text-ink">{texts.share(count, again)}</b>}
                  </p>
                  {seen > 0 ? (
                    <>
                      <Ticks value={back} of={seen} label={texts.spoken(days, count, again, inAll)} />
                      <p>{texts.seen(again, inAll)}</p>
                    </>
                  ) : (
                    <p>{followed > 0 ? texts.notSeen(inAll) : texts.nobody(days)}</p>
                  )}
                </li>
              );
            })}
          </ul>
          <p className="text-sm text-muted">{texts.why}</p>
        </>
      )}
    </Block>
  );
}
