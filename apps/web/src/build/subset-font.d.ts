declare module 'subset-font' {
  interface Options {
    targetFormat?: 'woff2';
    variationAxes?: Record<string, { min: number; max: number }>;
  }
  /** Cuts a font to these characters and to these ranges of its axes. */
  export default function subsetFont(font: Buffer, characters: string, options?: Options): Promise<Buffer>;
}
