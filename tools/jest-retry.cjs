// A test that leans on real servers may meet a slow moment of the machine; it is tried once more, and the first failure is printed.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
