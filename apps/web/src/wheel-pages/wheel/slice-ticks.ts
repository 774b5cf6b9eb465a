/** The slice at the pointer of a wheel that is turned by a computed CSS transform, such as `matrix(0, 1, -1, 0, 0, 0)`. */
export function sliceAt(transform: string, slices: number): number {
  const [, cosine, sine] = /^matrix\(([^,]+), ([^,]+),/.exec(transform) ?? [];
  const degrees = (Math.atan2(Number(sine ?? 0), Number(cosine ?? 1)) * 180) / Math.PI;
  // The wheel turns clockwise, so its slices pass the pointer backwards.
  return Math.floor(((360 - degrees) % 360) / (360 / slices));
}

/** Calls `onSlice` in each frame in which another slice has reached the pointer. @returns a function that ends this */
export function followSlices(box: Element, slices: number, onSlice: () => void): () => void {
  let at = sliceAt(getComputedStyle(box).transform, slices);
  let frame = requestAnimationFrame(function look() {
    const now = sliceAt(getComputedStyle(box).transform, slices);
    if (now !== at) onSlice();
    at = now;
    frame = requestAnimationFrame(look);
  });
  return () => cancelAnimationFrame(frame);
}

const clickSeconds = 0.03;

/** A short, quiet click. */
export function click(audio: AudioContext): void {
  const at = audio.currentTime;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = 1_400;
  volume.gain.setValueAtTime(0.08, at);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + clickSeconds);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + clickSeconds);
}
