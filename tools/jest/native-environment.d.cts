/** Environment of tests that run on Node. */
declare class NativeEnvironment {
  constructor(options: { projectConfig: { testEnvironmentOptions: { customExportConditions?: string[] } } });
  readonly fakeTimersModern: { useFakeTimers(how?: { doNotFake?: string[] }): void };
  teardown(): Promise<void>;
}
export = NativeEnvironment;
