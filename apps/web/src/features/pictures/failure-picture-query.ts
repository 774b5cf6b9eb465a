import { queryOptions } from '@tanstack/react-query';
import { ApiError, client } from '../../lib/api-client';

/** The picture as a `data:` address, which the site's security policy allows for images. */
async function download(pictureId: string, signal: AbortSignal): Promise<string> {
  const { data, error } = await client().storage.from('pictures').download(pictureId, {}, { signal });
  if (error) throw new ApiError('', null, 'status' in error && typeof error.status === 'number' ? error.status : null);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new ApiError(''));
    reader.readAsDataURL(new Blob([data], { type: 'image/jpeg' }));
  });
}

/** Whether there is no such picture (any more). */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** A picture never changes; it leaves the memory when nobody looks at it. */
export const failurePictureQuery = (pictureId: string) =>
  queryOptions({
    queryKey: ['run_pictures', pictureId],
    queryFn: ({ signal }) => download(pictureId, signal),
    staleTime: Infinity,
    gcTime: 0,
    retry: (failures, error) => !isGone(error) && failures < 1,
    retryDelay: 500,
  });
