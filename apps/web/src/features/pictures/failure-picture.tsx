import { useQuery } from '@tanstack/react-query';
import { Image } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Failure, Notice, Skeleton } from '../../components/ui/surface';
import { failurePictureQuery, isGone } from './failure-picture-query';
import { pictureTexts as texts } from './texts';

interface FailurePictureProps {
  /** `picture_id` of a row of the diary, or of a run. */
  pictureId: string;
  /** What failed, such as `@bia`: it tells the buttons of a list apart for people who hear them. */
  of?: string;
}

/** A button that loads and shows what the network's page showed when an action failed. */
export function FailurePicture({ pictureId, of }: FailurePictureProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" size="small" aria-label={of === undefined ? undefined : texts.buttonOf(of)} onClick={() => setIsOpen(true)}>
        <Image className="size-4" aria-hidden />
        {texts.button}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={texts.title} description={texts.description} size="wide">
        <Picture pictureId={pictureId} alt={of === undefined ? texts.alt : texts.altOf(of)} />
      </Dialog>
    </>
  );
}

/** Has the shape of the page that it shows, so that nothing moves when it arrives. On a phone it is wider than the screen, so that it can be read. */
const shape = 'aspect-[1280/860] w-full min-w-[44rem]';

/** Notices of the network are in the middle of its pages. */
const showMiddle = ({ currentTarget: { parentElement } }: SyntheticEvent) =>
  parentElement?.scrollTo({ left: (parentElement.scrollWidth - parentElement.clientWidth) / 2 });

function Picture({ pictureId, alt }: { pictureId: string; alt: string }) {
  const picture = useQuery(failurePictureQuery(pictureId));
  if (picture.isSuccess)
    return (
      <div role="region" aria-label={texts.title} tabIndex={0} className="overflow-x-auto rounded-tile shadow-1">
        <img src={picture.data} alt={alt} width={1280} height={860} className={shape} onLoad={showMiddle} />
      </div>
    );
  if (picture.isPending)
    return (
      <div role="status" className="overflow-hidden rounded-tile">
        <span className="sr-only">{texts.loading}</span>
        <Skeleton className={shape} />
      </div>
    );
  if (isGone(picture.error))
    return (
      <div role="status">
        <Notice tone="neutral">{texts.expired}</Notice>
      </div>
    );
  return <Failure text={texts.failed} onRetry={() => void picture.refetch()} />;
}
