<?php
/**
 * Handler of events.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Checks an event, carries it out once, and answers. All doors lead here. */
class Decola_Receiver {

	/** The sender stays under 100 kB. */
	const BYTES = MB_IN_BYTES;

	/**
	 * Handles a request.
	 *
	 * @param array      $headers `id`, `timestamp`, `signature`.
	 * @param string     $body    The signed text: the body, or the field `event` of a form with a file.
	 * @param array|null $file    The form's file.
	 * @return array{status:int,response:array}
	 */
	public static function handle( array $headers, string $body, ?array $file = null ): array {
		$seen = array(
			'type'       => '',
			'article_id' => '',
		);
		try {
			Decola_Schema::ensure();
			if ( strlen( $body ) > self::BYTES ) {
				throw new Decola_Refusal( 413, 'too_large', __( 'O evento é grande demais.', 'decola' ) );
			}
			Decola_Signature::verify( Decola_Settings::token(), $headers['id'], $headers['timestamp'], $headers['signature'], $body );
			$event = json_decode( $body, true, 32 );
			if ( ! is_array( $event ) || ! isset( $event['type'], $event['data'] ) || ! is_string( $event['type'] ) || ! is_array( $event['data'] ) ) {
				throw new Decola_Refusal( 400, 'bad_event', __( 'O evento não pôde ser lido.', 'decola' ) );
			}
			$seen['type']       = $event['type'];
			$seen['article_id'] = isset( $event['data']['article_id'] ) && is_string( $event['data']['article_id'] ) ? $event['data']['article_id'] : '';
			// An administrator's cookie must not switch the filters for texts off.
			wp_set_current_user( 0 );
			$answer = self::answer_once( $headers['id'], $event['type'], $event['data'], $file );
			if ( 'site.inventory' !== $event['type'] && 'article.status' !== $event['type'] ) {
				Decola_Diary::write( $seen['type'], $seen['article_id'], $answer['status'], '', self::sentence( $event['type'], $answer['response'] ) );
			}
			return $answer;
		} catch ( Decola_Refusal $refusal ) {
			return self::refused( $refusal, $seen );
		} catch ( Throwable $error ) {
			/**
			 * Fires when an event fails for a reason that this plugin does not know. The answer does not tell it: it may hold secrets.
			 *
			 * @param Throwable $error What was thrown.
			 */
			do_action( 'decola_event_failed', $error );
			return self::refused( new Decola_Refusal( 500, 'internal', __( 'O plugin falhou neste evento.', 'decola' ) ), $seen );
		}
	}

	private static function answer_once( string $id, string $type, array $data, ?array $file ): array {
		self::require_own_host( $data );
		$hash   = hash( 'sha256', (string) wp_json_encode( array( $type, $data ) ) );
		$stored = Decola_Claims::claim_event( $id, $hash );
		if ( $stored ) {
			return $stored;
		}
		try {
			$response = Decola_Site::versions() + array( 'ok' => true ) + self::carry_out( $type, $data, $file );
		} catch ( Throwable $error ) {
			Decola_Claims::release_event( $id, $hash );
			throw $error;
		}
		Decola_Claims::store_answer( $id, $hash, 200, $response );
		return array(
			'status'   => 200,
			'response' => $response,
		);
	}

	/** One token serves all sites of a customer: an event for one must not work on another. */
	private static function require_own_host( array $data ): void {
		$host = isset( $data['host'] ) && is_string( $data['host'] ) ? Decola_Site::normal_host( $data['host'] ) : '';
		if ( Decola_Site::host() !== $host ) {
			throw new Decola_Refusal(
				401,
				'wrong_site',
				/* translators: 1: host of the event, 2: host of this site */
				sprintf( __( 'O evento é para %1$s, mas este site é %2$s. Use o endereço deste site.', 'decola' ), '' === $host ? '?' : $host, Decola_Site::host() ),
				array( 'host' => Decola_Site::host() )
			);
		}
	}

	private static function carry_out( string $type, array $data, ?array $file ): array {
		switch ( $type ) {
			case 'ping':
				return Decola_Site::ping( $data );
			case 'article.prepare':
				return Decola_Articles::prepare( $data );
			case 'article.media':
				return Decola_Media::receive( $data, $file );
			case 'article.publish':
				return Decola_Articles::publish( $data );
			case 'article.withdraw':
				return Decola_Articles::withdraw( $data );
			case 'article.status':
				return Decola_Articles::status( $data );
			case 'site.inventory':
				return Decola_Site::inventory();
		}
		throw new Decola_Refusal( 400, 'unknown_type', __( 'Este plugin não conhece o evento. Atualize o plugin.', 'decola' ) );
	}

	private static function refused( Decola_Refusal $refusal, array $seen ): array {
		if ( 'busy' !== $refusal->reason ) {
			Decola_Diary::write( $seen['type'], $seen['article_id'], $refusal->status, $refusal->reason, $refusal->getMessage() );
		}
		// A stranger learns no versions.
		$known = 'token' === $refusal->reason || 413 === $refusal->status ? array( 'decola' => 1 ) : Decola_Site::versions();
		return array(
			'status'   => $refusal->status,
			'response' => $known + array(
				'ok'      => false,
				'code'    => $refusal->reason,
				'message' => $refusal->getMessage(),
			) + $refusal->facts,
		);
	}

	/** @return string What the diary says of an event that was carried out. */
	private static function sentence( string $type, array $response ): string {
		switch ( $type ) {
			case 'ping':
				return __( 'Conexão testada', 'decola' );
			case 'article.prepare':
				return __( 'Artigo recebido', 'decola' );
			case 'article.media':
				if ( isset( $response['kept'] ) ) {
					return 'not_wanted' === $response['kept'] ? __( 'Imagem não usada, como foi escolhido', 'decola' ) : __( 'Imagem escolhida no site mantida', 'decola' );
				}
				return __( 'Imagem recebida', 'decola' );
			case 'article.publish':
				if ( isset( $response['kept_as_draft'] ) && 'image_missing' === $response['kept_as_draft'] ) {
					return __( 'Mantido como rascunho: sem imagem', 'decola' );
				}
				return isset( $response['status'] ) && 'publish' === $response['status'] ? __( 'Artigo publicado', 'decola' ) : __( 'Artigo mantido como rascunho', 'decola' );
			case 'article.withdraw':
				return __( 'Artigo retirado', 'decola' );
		}
		return '';
	}
}
