<?php
/**
 * Images of articles.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Stores the image of an article in the media library, once for each content, and makes it the featured image. */
class Decola_Media {

	const BYTES = 2 * MB_IN_BYTES;

	const TYPES = array(
		'image/jpeg' => 'jpg',
		'image/png'  => 'png',
		'image/webp' => 'webp',
	);

	/**
	 * Answers `article.media`.
	 *
	 * @param array|null $file The uploaded file, as PHP describes it; null when it is to be fetched.
	 */
	public static function receive( array $data, ?array $file ): array {
		$article_id = Decola_Articles::id_of( $data );
		$sha256     = isset( $data['sha256'] ) && is_string( $data['sha256'] ) ? strtolower( $data['sha256'] ) : '';
		if ( ! preg_match( '/^[0-9a-f]{64}$/', $sha256 ) ) {
			throw new Decola_Refusal( 400, 'bad_event', __( 'A imagem veio sem soma de verificação.', 'decola' ) );
		}
		return Decola_Claims::with_article(
			$article_id,
			function ( array $row ) use ( $data, $file, $sha256, $article_id ) {
				$post = Decola_Articles::require_post( $row );
				Decola_Articles::refuse_trashed( $article_id, $post );
				if ( 'none' === Decola_Settings::all()['image'] ) {
					return array( 'attachment_id' => null, 'kept' => 'not_wanted' );
				}
				$current = (int) get_post_thumbnail_id( $post );
				if ( $sha256 === $row['image_hash'] && get_post( (int) $row['attachment_id'] ) ) {
					return array( 'attachment_id' => (int) $row['attachment_id'] );
				}
				// The owner chose another image, or removed ours.
				if ( empty( $data['force'] ) && ( $current ? $current !== (int) $row['attachment_id'] : (bool) $row['attachment_id'] ) && ! self::is_ours( $current, $article_id ) ) {
					return array( 'attachment_id' => $current ? $current : null, 'kept' => 'edited_by_owner' );
				}
				$attachment_id = self::stored( $sha256 );
				if ( ! $attachment_id ) {
					$attachment_id = self::store( $data, $file, $sha256, $post, $article_id );
				}
				set_post_thumbnail( $post->ID, $attachment_id );
				Decola_Claims::update_article(
					$article_id,
					array(
						'image_hash'    => $sha256,
						'attachment_id' => $attachment_id,
						'post_id'       => $post->ID,
					)
				);
				return array( 'attachment_id' => $attachment_id );
			}
		);
	}

	private static function is_ours( int $attachment_id, string $article_id ): bool {
		return $attachment_id && get_post_meta( $attachment_id, '_decola_article_id', true ) === $article_id;
	}

	/** The name of the post's own row: finds the image also when the request that stored it died before it could note more. */
	private static function name_of( string $sha256 ): string {
		return 'decola-' . substr( $sha256, 0, 32 );
	}

	private static function stored( string $sha256 ): int {
		global $wpdb;
		$attachment_id = (int) $wpdb->get_var( $wpdb->prepare( "SELECT ID FROM {$wpdb->posts} WHERE post_type = 'attachment' AND post_name = %s LIMIT 1", self::name_of( $sha256 ) ) );
		if ( ! $attachment_id ) {
			return 0;
		}
		$file = get_attached_file( $attachment_id );
		if ( $file && is_file( $file ) ) {
			return $attachment_id;
		}
		wp_delete_attachment( $attachment_id, true );
		return 0;
	}

	private static function store( array $data, ?array $file, string $sha256, WP_Post $post, string $article_id ): int {
		require_once ABSPATH . 'wp-admin/includes/file.php';
		require_once ABSPATH . 'wp-admin/includes/media.php';
		require_once ABSPATH . 'wp-admin/includes/image.php';
		$path = $file ? self::uploaded( $file ) : self::fetched( isset( $data['download_url'] ) && is_string( $data['download_url'] ) ? $data['download_url'] : '' );
		try {
			$type = self::check( $path, $sha256 );
			$alt  = Decola_Content::line( $data, 'alt' );
			$name = ( $post->post_name ? $post->post_name : 'artigo-' . $post->ID ) . '.' . self::TYPES[ $type ];
			$id   = media_handle_sideload(
				array(
					'name'     => $name,
					'tmp_name' => $path,
				),
				$post->ID,
				null,
				wp_slash(
					array(
						'post_name'   => self::name_of( $sha256 ),
						'post_title'  => '' !== $alt ? $alt : $post->post_title,
						'post_author' => (int) $post->post_author,
						'meta_input'  => array(
							'_decola_article_id'       => $article_id,
							'_wp_attachment_image_alt' => $alt,
						),
					)
				)
			);
		} finally {
			if ( is_file( $path ) ) {
				wp_delete_file( $path );
			}
		}
		if ( is_wp_error( $id ) ) {
			/* translators: %s: message of WordPress */
			throw self::refusal( 'media_refused', sprintf( __( 'O WordPress não aceitou a imagem: %s', 'decola' ), $id->get_error_message() ) );
		}
		return (int) $id;
	}

	/** @return string Type of the file, which is what its name will say. */
	private static function check( string $path, string $sha256 ): string {
		if ( filesize( $path ) > self::BYTES ) {
			throw self::refusal( 'media_too_large', __( 'A imagem tem mais de 2 MB.', 'decola' ) );
		}
		if ( ! hash_equals( $sha256, (string) hash_file( 'sha256', $path ) ) ) {
			throw self::refusal( 'media_changed', __( 'A imagem chegou alterada ou incompleta.', 'decola' ) );
		}
		$type = wp_get_image_mime( $path );
		if ( ! $type || ! isset( self::TYPES[ $type ] ) ) {
			throw self::refusal( 'media_type', __( 'O arquivo não é uma imagem JPEG, PNG ou WebP.', 'decola' ) );
		}
		return $type;
	}

	/** @return string Path of a copy that WordPress may move. */
	private static function uploaded( array $file ): string {
		$given = isset( $file['tmp_name'] ) && is_string( $file['tmp_name'] ) ? $file['tmp_name'] : '';
		if ( ! empty( $file['error'] ) || ! is_uploaded_file( $given ) ) {
			throw self::refusal( 'media_upload', __( 'O servidor não recebeu a imagem inteira (limite de envio do PHP).', 'decola' ) );
		}
		$path = wp_tempnam( 'decola' );
		if ( ! $path || ! copy( $given, $path ) ) {
			throw self::refusal( 'media_folder', __( 'O WordPress não consegue gravar na pasta temporária.', 'decola' ) );
		}
		return $path;
	}

	/** WordPress itself refuses addresses of private networks here. */
	private static function fetched( string $url ): string {
		$path = wp_tempnam( 'decola' );
		if ( ! $path ) {
			throw self::refusal( 'media_folder', __( 'O WordPress não consegue gravar na pasta temporária.', 'decola' ) );
		}
		$response = wp_safe_remote_get(
			$url,
			array(
				'timeout'             => 15,
				'redirection'         => 2,
				'stream'              => true,
				'filename'            => $path,
				'limit_response_size' => self::BYTES + 1,
				'user-agent'          => 'Decola-Plugin/' . DECOLA_VERSION,
			)
		);
		$status   = is_wp_error( $response ) ? 0 : (int) wp_remote_retrieve_response_code( $response );
		if ( 200 !== $status ) {
			wp_delete_file( $path );
			/* translators: %s: message of WordPress or status */
			throw self::refusal( 'media_fetch', sprintf( __( 'O site não conseguiu baixar a imagem: %s', 'decola' ), is_wp_error( $response ) ? $response->get_error_message() : $status ) );
		}
		return $path;
	}

	private static function refusal( string $code, string $message ): Decola_Refusal {
		return new Decola_Refusal( 422, $code, $message );
	}
}
