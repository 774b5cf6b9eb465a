const samplesPerSecond = 8_000;
const seconds = 3;

/**
 * The only video of the network's stories: three seconds of silence, as an uncompressed sound. The browser plays it in a `video` element
 * like any video, so that it starts and ends as one.
 */
export function storyVideo(): Buffer {
  const size = samplesPerSecond * seconds;
  // 128 is the middle of an unsigned sample: silence.
  const file = Buffer.alloc(44 + size, 128);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + size, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(samplesPerSecond, 24);
  file.writeUInt32LE(samplesPerSecond, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36);
  file.writeUInt32LE(size, 40);
  return file;
}
