<?php
/**
 * Signatures of events.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Standard Webhooks 1.0 with HMAC-SHA256. The key is the token as it was pasted. */
class Decola_Signature {

	/** Seconds by which the clocks of sender and site may differ. */
	const TOLERANCE = 300;

	public static function sign( string $token, string $id, string $timestamp, string $body ): string {
		return 'v1,' . base64_encode( hash_hmac( 'sha256', "$id.$timestamp.$body", $token, true ) );
	}

	/**
	 * Checks id, time and signatures of a request.
	 *
	 * @throws Decola_Refusal When the token or the clock does not fit.
	 */
	public static function verify( string $token, string $id, string $timestamp, string $signatures, string $body ): void {
		if ( '' === $token ) {
			throw new Decola_Refusal( 401, 'token', __( 'O plugin ainda não tem um token. Cole o token na página de configurações do plugin.', 'decola' ) );
		}
		if ( ! preg_match( '/^[A-Za-z0-9_.-]{1,100}$/', $id ) || ! preg_match( '/^[0-9]{1,12}$/', $timestamp ) || ! self::is_signed( $token, $id, $timestamp, $signatures, $body ) ) {
			throw new Decola_Refusal( 401, 'token', __( 'O token deste site não confere. Gere um token e cole-o na página de configurações do plugin.', 'decola' ) );
		}
		$difference = time() - (int) $timestamp;
		update_option( 'decola_clock', $difference, false );
		if ( abs( $difference ) > self::TOLERANCE ) {
			$minutes = (int) round( abs( $difference ) / 60 );
			throw new Decola_Refusal(
				401,
				'clock',
				$difference < 0
					/* translators: %d: minutes */
					? sprintf( __( 'O relógio do seu servidor está %d min atrasado', 'decola' ), $minutes )
					/* translators: %d: minutes */
					: sprintf( __( 'O relógio do seu servidor está %d min adiantado', 'decola' ), $minutes ),
				array( 'site_time' => time() )
			);
		}
	}

	/** The sender signs with several tokens while it replaces one. */
	private static function is_signed( string $token, string $id, string $timestamp, string $signatures, string $body ): bool {
		$expected = self::sign( $token, $id, $timestamp, $body );
		foreach ( array_slice( explode( ' ', $signatures ), 0, 10 ) as $signature ) {
			if ( hash_equals( $expected, $signature ) ) {
				return true;
			}
		}
		return false;
	}

	/** Proves to the sender that this site knows the token. */
	public static function proof( string $token, string $challenge, string $host ): string {
		return hash_hmac( 'sha256', $challenge . $host, $token );
	}
}
