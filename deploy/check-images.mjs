/**
 * Refuses images that are not pinned: kubectl kustomize k8s/overlays/production | tee release.yaml | node deploy/check-images.mjs
 * A tag can be moved to another image, so the same manifest could start something else tomorrow; a digest cannot.
 */
import { readFileSync } from 'node:fs';

const images = [...readFileSync(0, 'utf8').matchAll(/^[\s-]*image:\s*["']?([^\s"']+)/gm)].map(([, image]) => image);
const problemOf = (image) => {
  const digest = /@sha256:([0-9a-f]{64})$/.exec(image)?.[1];
  if (digest === undefined) return 'has no digest';
  return /^0+$/.test(digest) ? 'has the digest of no image yet: kustomize edit set image' : undefined;
};
const problems = [...new Set(images)].flatMap((image) => (problemOf(image) ? [`${image} ${problemOf(image)}`] : []));
if (images.length === 0) problems.push('there is no image');
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${images.length} images, each by its digest`);
